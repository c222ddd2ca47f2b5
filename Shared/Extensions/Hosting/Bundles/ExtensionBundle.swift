package import Contract
import Glibc
package import Loop

/// A valid bundle directory, as `extension.install` accepts it.
///
/// Keys of Info.plist are Apple's, and may contain Xcode's variables: `$(PRODUCT_NAME)`,
/// `$(PRODUCT_MODULE_NAME)`, `$(EXECUTABLE_NAME)`, `$(TARGET_NAME)` and `$(PRODUCT_BUNDLE_IDENTIFIER)`. The
/// product's name is that of the directory, without `.appex`.
package struct ExtensionBundle: Sendable {
    /// `CFBundleIdentifier`.
    package let id: String
    /// The bundle directory.
    package let path: String
    /// Path of its program.
    package let executable: String
    /// Display name.
    package let name: String
    /// Its extension point.
    package let point: ExtensionPoint
    /// `Module.Class`; nil for a report extension, which has none.
    package let principalClass: String?
    /// Whether Info.plist contains the class's module; otherwise it is guessed from the program's file name.
    package let namesModule: Bool
    /// Its budget, or the default.
    package let budget: ExtensionBudget
    /// Its entitlements; empty without a file.
    package let entitlements: Entitlements

    /// - Parameter client: the host app, if the person named it.
    /// - Throws: `invalidArgument` with the file or key, its value and what is expected; `notFound`.
    package init(path: String, client: String?) throws(ServiceError) {
        guard path.hasPrefix("/"), path.utf8.count <= 2_048 else {
            throw ServiceError(
                .invalidArgument, "'\(path)' is not an absolute path of up to 2048 bytes",
                remedy: "Give the bundle directory's whole path.")
        }
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let directory = path.split(separator: "/").last.map(String.init) ?? "extension"
        var product = directory.split(separator: ".").first.map(String.init) ?? directory
        if directory.hasSuffix(".appex") { product = String(directory.dropLast(6)) }
        var keys = BundleKeys(
            file: path + "/Info.plist", product: product,
            info: try BundleKeys.read(path + "/Info.plist", following: false))
        let file = try Self.executableName(keys, in: path)
        keys.module = Self.module(of: file)
        id = try Self.identifier(keys, client: client)
        executable = path + "/" + file
        let (point, attributes) = try Self.point(keys)
        self.point = point
        principalClass = try Self.principal(attributes, point)
        namesModule = Self.namesModule(attributes)
        try Self.checkExecutable(executable)
        let displayName = try keys.optionalText("CFBundleDisplayName")
        let shortName = try keys.optionalText("CFBundleName")
        name = displayName ?? shortName ?? product
        guard VisibleText.isName(name) else {
            throw keys.wrong(
                displayName == nil ? "CFBundleName" : "CFBundleDisplayName", name,
                "a name of up to \(Limits.nameBytesMax) bytes, of characters that one can see")
        }
        budget = try BundleBudget.read(keys)
        entitlements = try Entitlements(bundle: path, following: false)
        self.path = path
    }

    /// Reads a bundle on another thread than the loop's, because the file system may be slow.
    @LoopActor package static func read(
        _ path: String, client: String?, besides loop: EventLoop
    ) async throws(ServiceError) -> ExtensionBundle {
        try await loop.inBackground { () throws(ServiceError) in
            try ExtensionBundle(path: path, client: client)
        }
    }

    /// The name of its program's file.
    var executableName: String { executable.split(separator: "/").last.map(String.init) ?? "" }

    /// Its record before it ever ran.
    package func record(client: String) -> ExtensionRecord {
        var record = ExtensionRecord(
            id: id, client: client, point: point, path: path, executable: executable)
        record.name = name
        record.principalClass = principalClass
        record.budget = budget
        record.groups = entitlements.groups
        record.dataAccess = entitlements.dataAccess
        return record
    }

    // MARK: keys

    private static func identifier(_ keys: BundleKeys, client: String?) throws(ServiceError) -> String {
        let key = "CFBundleIdentifier"
        let written = try keys.optionalText(key)
        let isVariable =
            written == "$(PRODUCT_BUNDLE_IDENTIFIER)" || written == "${PRODUCT_BUNDLE_IDENTIFIER}"
        let id: String
        if let written, !isVariable {
            id = written
        } else if let client {
            // As Xcode's rfc1034identifier does.
            let isPlain = { (one: Character) in one.isASCII && (one.isLetter || one.isNumber || one == "-") }
            id = client + "." + keys.product.map { isPlain($0) ? String($0) : "-" }.joined()
        } else {
            throw ServiceError(
                .invalidArgument, "'\(keys.file)' has no \(key) of its own, as in sources of Xcode",
                remedy: "Write it, or name the host app: its id is then the app's and '.\(keys.product)'.")
        }
        let allowed = id.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        // It is also the name of directories and a log file. The services' own files have names without a
        // dot.
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard allowed, id.utf8.count <= 200, parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else {
            throw keys.wrong(
                key, id, "up to 200 letters, digits and hyphens, in two or more parts with dots in between")
        }
        return id
    }

    private static func executableName(
        _ keys: BundleKeys, in path: String
    ) throws(ServiceError) -> String {
        let written = try keys.optionalText("CFBundleExecutable")
        let name = written ?? keys.product
        guard !name.contains("/"), name != ".", name != ".." else {
            throw keys.wrong("CFBundleExecutable", name, "the name of a file in the bundle")
        }
        return name
    }

    /// The module of a product: its name with characters replaced that identifiers cannot contain, as Xcode
    /// does.
    private static func module(of product: String) -> String {
        String(product.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

    /// The extension point and the dictionary that contains it: NSExtension, or EXAppExtensionAttributes for
    /// the newer kind of report extensions.
    private static func point(_ keys: BundleKeys) throws(ServiceError) -> (ExtensionPoint, BundleKeys) {
        let places = [
            ("NSExtension", "NSExtensionPointIdentifier"),
            ("EXAppExtensionAttributes", "EXExtensionPointIdentifier"),
        ]
        guard let (place, key) = places.first(where: { keys.isDictionary($0.0) }) else {
            throw keys.missing("NSExtension")
        }
        let inner = keys.inside(place)
        let identifier = try inner.text(key)
        guard let point = ExtensionPoint(rawValue: identifier) else {
            throw keys.wrong(
                key, identifier, "one of " + ExtensionPoint.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return (point, inner)
    }

    private static func principal(
        _ keys: BundleKeys, _ point: ExtensionPoint
    ) throws(ServiceError) -> String? {
        let key = "NSExtensionPrincipalClass"
        if point == .report, try keys.optionalText(key) == nil { return nil }
        let principal = try keys.text(key)
        guard isClass(principal, parts: 1...2) else {
            throw keys.wrong(key, principal, "Class, Module.Class or $(PRODUCT_MODULE_NAME).Class")
        }
        return principal.contains(".") ? principal : keys.module + "." + principal
    }

    /// Whether it is a Swift name with this number of parts separated by dots.
    static func isClass(_ name: String, parts count: ClosedRange<Int>) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return VisibleText.isName(name) && count.contains(parts.count)
            && parts.allSatisfy { part in
                part.first.map { $0.isLetter || $0 == "_" } ?? false
                    && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            }
    }

    private static func namesModule(_ keys: BundleKeys) -> Bool {
        guard let written = keys.info["NSExtensionPrincipalClass"]?.text else { return false }
        return written.contains(".") && !written.contains("$")
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
}

/// The key `ScreenTimeBudget`, which Apple does not have: integers `MemoryMegabytes`, `CallbackSeconds` and
/// `ProcessorSeconds`; absent values are those of ``HostingLimits/defaultBudget``.
enum BundleBudget {
    static let key = "ScreenTimeBudget"

    static func read(_ keys: BundleKeys) throws(ServiceError) -> ExtensionBudget {
        var budget = HostingLimits.defaultBudget
        guard keys.info[key] != nil else { return budget }
        guard keys.isDictionary(key) else { throw keys.wrong(key, "no dictionary", "a dictionary") }
        let inner = keys.inside(key)
        if let number = try inner.number("MemoryMegabytes", HostingLimits.memoryMegabytes) {
            budget.memoryBytes = number << 20
        }
        if let number = try inner.number("CallbackSeconds", HostingLimits.callbackSeconds) {
            budget.callback = .seconds(number)
        }
        if let number = try inner.number("ProcessorSeconds", HostingLimits.processorSeconds) {
            budget.processor = .seconds(number)
        }
        return budget
    }
}
