import Contract
import Glibc

/// Typed access to the keys of a bundle's property list, with errors that name the file.
struct BundleKeys {
    let file: String
    /// The product's name, the value of `$(PRODUCT_NAME)` and similar variables.
    let product: String
    var module = ""
    let info: PropertyList

    init(file: String, product: String, info: PropertyList) {
        self.file = file
        self.product = product
        self.info = info
    }

    func isDictionary(_ key: String) -> Bool {
        if case .dictionary? = info[key] { true } else { false }
    }

    /// The keys of a nested dictionary.
    func inside(_ key: String) -> BundleKeys {
        var inner = BundleKeys(file: file, product: product, info: info[key] ?? .dictionary([:]))
        inner.module = module
        return inner
    }

    func text(_ key: String) throws(ServiceError) -> String {
        guard let text = try optionalText(key) else { throw missing(key) }
        return text
    }

    /// Nil if the key is missing.
    func optionalText(_ key: String) throws(ServiceError) -> String? {
        guard let value = info[key] else { return nil }
        guard let text = value.text, !text.isEmpty else { throw wrong(key, "no text", "a text") }
        return expanded(text)
    }

    func number(_ key: String, _ range: ClosedRange<Int64>) throws(ServiceError) -> Int64? {
        guard let value = info[key] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw wrong(
                key, value.integer.map(String.init) ?? value.text ?? "no number",
                "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Expands Xcode's variables as a build does.
    private func expanded(_ text: String) -> String {
        let values = [
            "PRODUCT_NAME": product, "TARGET_NAME": product, "EXECUTABLE_NAME": product,
            "PRODUCT_MODULE_NAME": module,
        ]
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...].dropFirst()
            guard let open = rest.first, open == "(" || open == "{",
                let close = rest.firstIndex(of: open == "(" ? ")" : "}"),
                let value = values[String(rest[..<close].dropFirst())], !value.isEmpty
            else {
                result += "$"
                continue
            }
            result += value
            rest = rest[close...].dropFirst()
        }
        return result + rest
    }

    func missing(_ key: String) -> ServiceError {
        ServiceError(.invalidArgument, "'\(file)' has no \(key)", remedy: "Add it; see docs/extensions.md.")
    }

    func wrong(_ key: String, _ value: String, _ expected: String) -> ServiceError {
        ServiceError(
            .invalidArgument, "\(key) in '\(file)' is '\(value.shortened)'; expected is \(expected)",
            remedy: "Correct it.")
    }

    // MARK: the file

    /// - Parameter following: whether the file may be a link. In a bundle that is copied, the file itself
    ///   must be in the copy.
    /// - Throws: `notFound` if it is missing; `invalidArgument` if it is no property list.
    static func read(_ file: String, following: Bool) throws(ServiceError) -> PropertyList {
        let bytes = try bytes(of: file, following: following)
        do { return try PropertyListReader.read(bytes) } catch {
            throw ServiceError(
                .invalidArgument, "'\(file)' is not a property list: \(error.reason)",
                remedy: "Write it as Xcode does, in XML.")
        }
    }

    private static func bytes(of file: String, following: Bool) throws(ServiceError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (following ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            if errno == ELOOP {
                throw ServiceError(
                    .invalidArgument, "'\(file)' is a link", remedy: "Put the file itself into the bundle.")
            }
            throw ServiceError(
                .notFound, "reading '\(file)' failed: \(String(cString: strerror(errno)))",
                remedy: "Give the directory that holds Info.plist.")
        }
        defer { close(descriptor) }
        var status = stat()
        var bytes = [UInt8](repeating: 0, count: HostingLimits.propertyListBytesMax + 1)
        // Something other than a regular file may have no end, or block.
        let isPlain = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let count = isPlain ? Glibc.read(descriptor, &bytes, bytes.count) : -1
        guard count >= 0, count <= HostingLimits.propertyListBytesMax else {
            throw ServiceError(
                .limitExceeded,
                "'\(file)' cannot be read or has more than \(HostingLimits.propertyListBytesMax) bytes "
                    + "(propertyListBytesMax)",
                remedy: "Check that it is a property list.")
        }
        return Array(bytes[..<count])
    }
}

extension String {
    /// Foreign text, shortened for an error.
    var shortened: String {
        let charactersMax = 200
        let start = prefix(charactersMax)
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
