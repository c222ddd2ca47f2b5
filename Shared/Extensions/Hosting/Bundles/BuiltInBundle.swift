import Bus
import Contract
import Glibc
import ServiceKit

/// The bundle of a built-in extension. The program is installed beside this one. The bundle is created in the
/// state directory and refers to it; this is repeated at every start, because an update may move the program.
struct BuiltInBundle {
    /// Bundle id of the app.
    var client: String
    /// Last part of the extension's id and of the program's name.
    var part: String
    var point: ExtensionPoint
    /// Nil if the program has its own entry point.
    var principalClass: String?

    /// The app's name: the last part of its bundle id.
    private var app: String { client.split(separator: ".").last.map(String.init) ?? client }
    var id: String { "\(client).\(part)" }
    private var program: String { "\(app)-\(part)" }
    var group: String { "group.\(client)" }

    /// The bundles of all installed built-in apps.
    /// - Throws: `unavailable` if a manifest cannot be read, or if the limits app has none: without it the
    ///   person's limits would have no effect.
    static func installed() throws(ServiceError) -> [BuiltInBundle] {
        let apps = try InstalledApps.all()
        guard apps.contains(where: { $0.client == BuiltInClient.limits }) else {
            throw ServiceError(
                .unavailable, "there is no manifest of \(BuiltInClient.limits) beside this program",
                remedy: "Build or install it: it applies the person's limits.")
        }
        return apps.flatMap { app in
            app.extensions.map { part in
                BuiltInBundle(
                    client: app.client, part: part.name, point: part.point,
                    principalClass: part.principalClass)
            }
        }
    }

    private func executable() throws(ServiceError) -> String {
        try Programs.find(program, purpose: "it is an extension of \(client)")
    }

    /// The extension as it is to be installed; makes its bundle.
    /// - Throws: as ``make(in:)``.
    func record(in stateDirectory: String) throws(ServiceError) -> ExtensionRecord {
        let path = try make(in: stateDirectory)
        var record = try ExtensionBundle(path: path, client: client).record(client: client)
        record.withoutBubblewrap = true
        return record
    }

    /// - Returns: the bundle's directory.
    /// - Throws: `unavailable` if the program is not installed beside this one.
    func make(in stateDirectory: String) throws(ServiceError) -> String {
        let executable = try executable()
        let path = BundleStore.builtIn(id, in: stateDirectory)
        try makeDirectories(path, mode: 0o755)
        try Self.write(Array(propertyList.utf8), to: path + "/Info.plist")
        try Self.write(Array(entitlements.utf8), to: path + "/Entitlements.plist")
        let link = path + "/" + program
        unlink(link + ".new")
        guard symlink(executable, link + ".new") == 0, rename(link + ".new", link) == 0 else {
            throw Self.failed("linking '\(link)'")
        }
        return path
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(ServiceError) {
        let descriptor = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failed("writing '\(path)'") }
        let count = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count, rename(path + ".new", path) == 0 else {
            throw failed("writing '\(path)'")
        }
    }

    private static func failed(_ what: String) -> ServiceError {
        ServiceError(
            .storageFailed, "\(what) failed: \(String(cString: strerror(errno)))",
            remedy: "Check the state directory's space and permissions.")
    }

    // MARK: the bundle's content

    private var propertyList: String {
        let place = principalClass == nil ? "EXAppExtensionAttributes" : "NSExtension"
        let key = principalClass == nil ? "EXExtensionPointIdentifier" : "NSExtensionPointIdentifier"
        let principal = principalClass.map { name in
            "<key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).\(name)</string>"
        }
        return Self.file(
            """
            <key>CFBundleIdentifier</key><string>\(id)</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>\(place)</key>
            <dict>
            <key>\(key)</key><string>\(point.rawValue)</string>
            \(principal ?? "")
            </dict>
            """)
    }

    private var entitlements: String {
        Self.file(
            "<key>com.apple.security.application-groups</key><array><string>\(group)</string></array>")
    }

    private static func file(_ dictionary: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \(dictionary)
        </dict>
        </plist>

        """
    }
}
