import Contract
import Glibc

/// A bundle directory that was read and found right.
struct ExtensionBundle {
    var id: String
    var path: String
    var executable: String

    /// - Throws: `invalidArgument` naming the file or key, what it says and what it should say; `notFound`.
    init(path: String) throws(ServiceError) {
        guard path.hasPrefix("/"), path.utf8.count <= 2_048 else {
            throw ServiceError(
                .invalidArgument, "'\(path)' is not an absolute path of up to 2048 bytes",
                remedy: "Give the bundle directory's whole path.")
        }
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let file = path + "/Info.plist"
        let info: PropertyList
        do { info = try PropertyListReader.read(try Self.bytes(of: file)) } catch let error
            as PropertyListError
        {
            throw ServiceError(
                .invalidArgument, "'\(file)' is not a property list: \(error.reason)",
                remedy: "Write it as Xcode does, in XML.")
        } catch { throw ServiceError(.notFound, "\(error)", remedy: "Check the bundle.") }
        id = try Self.identifier(info, file)
        let name = try Self.text(info, "CFBundleExecutable", file)
        guard !name.contains("/"), name != ".", name != ".." else {
            throw Self.wrong("CFBundleExecutable", name, "the name of a file in the bundle", file)
        }
        guard case .dictionary? = info["NSExtension"] else { throw Self.missing("NSExtension", file) }
        try Self.checkPoint(info["NSExtension"] ?? .dictionary([:]), module: name, file)
        self.path = path
        executable = path + "/" + name
        try Self.checkExecutable(executable)
    }

    private static func identifier(_ info: PropertyList, _ file: String) throws(ServiceError) -> String {
        let id = try text(info, "CFBundleIdentifier", file)
        let allowed = id.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        // It also names the log file, so it must be a plain file name.
        guard allowed, !id.hasPrefix("."), id.utf8.count <= 200 else {
            throw wrong("CFBundleIdentifier", id, "up to 200 letters, digits, hyphens and dots", file)
        }
        return id
    }

    private static func checkPoint(
        _ point: PropertyList, module: String, _ file: String
    ) throws(ServiceError) {
        let identifier = try text(point, "NSExtensionPointIdentifier", file)
        guard identifier == ExtensionPoint.monitor.rawValue else {
            throw wrong("NSExtensionPointIdentifier", identifier, ExtensionPoint.monitor.rawValue, file)
        }
        var principal = try text(point, "NSExtensionPrincipalClass", file)
        let variable = "$(PRODUCT_MODULE_NAME)."
        if principal.hasPrefix(variable) {
            // A module is its product's name with what no identifier may hold replaced, as Xcode does.
            let moduleName = module.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
            principal = String(moduleName) + "." + principal.dropFirst(variable.count)
        }
        let parts = principal.split(separator: ".", omittingEmptySubsequences: false)
        let isClass = parts.allSatisfy { part in
            part.first.map { $0.isLetter || $0 == "_" } ?? false
                && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        guard isClass, parts.count <= 2 else {
            throw wrong(
                "NSExtensionPrincipalClass", principal, "Class, Module.Class or \(variable)Class", file)
        }
    }

    private static func checkExecutable(_ path: String) throws(ServiceError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ServiceError(
                .notFound, "CFBundleExecutable: there is no file '\(path)'",
                remedy: "Build it into the bundle.")
        }
        guard access(path, X_OK) == 0 else {
            throw ServiceError(
                .invalidArgument, "CFBundleExecutable: '\(path)' may not be executed",
                remedy: "Run chmod +x on it.")
        }
    }

    private static func text(_ info: PropertyList, _ key: String, _ file: String) throws(ServiceError)
        -> String
    {
        guard let value = info[key] else { throw missing(key, file) }
        guard let text = value.text, !text.isEmpty else { throw wrong(key, "no text", "a text", file) }
        return text
    }

    private static func missing(_ key: String, _ file: String) -> ServiceError {
        ServiceError(.invalidArgument, "'\(file)' has no \(key)", remedy: "Add it; see Shared/ExtensionLink.")
    }

    private static func wrong(_ key: String, _ value: String, _ expected: String, _ file: String)
        -> ServiceError
    {
        ServiceError(
            .invalidArgument, "\(key) in '\(file)' is '\(value)'; expected is \(expected)",
            remedy: "Correct it.")
    }

    private static func bytes(of file: String) throws(ServiceError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ServiceError(
                .notFound, "reading '\(file)' failed: \(String(cString: strerror(errno)))",
                remedy: "Give the directory that holds Info.plist.")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: MonitorLimits.propertyListBytesMax + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0, count <= MonitorLimits.propertyListBytesMax else {
            throw ServiceError(
                .limitExceeded,
                "'\(file)' cannot be read or has more than \(MonitorLimits.propertyListBytesMax) bytes "
                    + "(propertyListBytesMax)",
                remedy: "Check that it is an Info.plist.")
        }
        return Array(bytes[..<count])
    }
}
