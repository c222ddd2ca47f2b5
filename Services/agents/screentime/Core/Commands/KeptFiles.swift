import Foundation

/// Files that apps and extensions keep for themselves. No service reads them; they may contain what is to be
/// forgotten.
struct KeptFiles {
    let stateDirectory: String

    /// Containers of extensions, app groups and apps' own directories that have a file, or cannot be looked
    /// into.
    func present() -> [(owner: String, path: String)] {
        [("containers", "the extension"), ("groups", "the app group"), ("apps", "the app")].flatMap {
            Self.found("\(stateDirectory)/\($0)", $1)
        }
    }

    private static func found(_ folder: String, _ kind: String) -> [(owner: String, path: String)] {
        // No directory: nothing was ever kept.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Removed ones begin with a dot: they go by themselves.
        return names.sorted().filter { !$0.hasPrefix(".") && hasFile("\(folder)/\($0)") }
            .map { ("\(kind) \($0)", "\(folder)/\($0)") }
    }

    private static func hasFile(_ path: String) -> Bool {
        // What cannot be looked into may hold data.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return true }
        return names.contains { name in
            var isDirectory: ObjCBool = false
            let inner = "\(path)/\(name)"
            let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: inner)) != nil
            guard !isLink, FileManager.default.fileExists(atPath: inner, isDirectory: &isDirectory),
                isDirectory.boolValue
            else { return true }
            return hasFile(inner)
        }
    }
}
