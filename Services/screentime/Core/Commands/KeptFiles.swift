import Foundation

/// What extensions and apps keep for themselves below the state directory. Nobody but they knows what it
/// says.
struct KeptFiles {
    let stateDirectory: String

    /// A directory for each: an extension's own, that of an app group, an app's own.
    private static let parents = ["containers", "groups", "apps"]

    /// Those that have any file.
    func places() -> [String] {
        Self.parents.flatMap { parent in
            let path = "\(stateDirectory)/\(parent)"
            // Nobody has kept anything where the directory is not there.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            // What is on its way to be deleted has a name with a dot before it.
            return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(path)/\($0)" }
        }.filter(hasFile)
    }

    private func hasFile(_ path: String) -> Bool {
        guard let below = FileManager.default.enumerator(atPath: path) else { return true }
        while below.nextObject() != nil {
            let type = below.fileAttributes?[.type] as? FileAttributeType
            if type != .typeDirectory { return true }
        }
        return false
    }
}
