import Bus
import Contract
import Glibc
import Hosting
import ServiceKit

/// The bundle of the extension that keeps the person's own limits. The program lies beside our own; the
/// bundle is made in the state directory and points to it, at every start, since an update may have moved it.
enum LimitsBundle {
    static let id = BuiltInClient.limits + ".monitor"
    private static let program = "limits-monitor"

    /// - Returns: the bundle's directory.
    /// - Throws: `unavailable` when the program is not installed with ours.
    static func make(in stateDirectory: String) throws(ServiceError) -> String {
        let executable = try Programs.find(program, purpose: "it keeps the person's own limits")
        let path = "\(stateDirectory)/\(ServiceName.monitor.rawValue)/extensions/\(id)"
        try makeDirectories(path, mode: 0o700)
        try write(Array(propertyList.utf8), to: path + "/Info.plist")
        let link = path + "/" + program
        unlink(link + ".new")
        guard symlink(executable, link + ".new") == 0, rename(link + ".new", link) == 0 else {
            throw failed("linking '\(link)'")
        }
        return path
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(ServiceError) {
        let descriptor = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
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

    private static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(id)</string>
            <key>CFBundleExecutable</key>
            <string>\(program)</string>
            <key>NSExtension</key>
            <dict>
                <key>NSExtensionPointIdentifier</key>
                <string>\(ExtensionPoint.monitor.rawValue)</string>
                <key>NSExtensionPrincipalClass</key>
                <string>$(PRODUCT_MODULE_NAME).LimitsMonitor</string>
            </dict>
        </dict>
        </plist>

        """
}
