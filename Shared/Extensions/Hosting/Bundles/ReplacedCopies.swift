package import Contract
internal import FileAccess
import Glibc
package import ServiceKit

/// The copies of bundles that replaced stores need: `<state>/replaced-TIME/bundles` lists the copies of that
/// time, one `<id>/<hash>` per line, and they are kept as long as that directory exists.
package struct ReplacedCopies {
    private let stateDirectory: String

    package init(_ configuration: Configuration) { stateDirectory = configuration.stateDirectory }
    init(stateDirectory: String) { self.stateDirectory = stateDirectory }

    private static let list = EntryName(constant: "bundles")
    private static let prefix = "replaced-"

    /// Path of the list in a directory with replaced stores.
    package static func list(in aside: String) -> String { "\(aside)/\(list.text)" }

    /// Writes the list of the present copies; without copies there is no list.
    package func note(in aside: String) throws(ServiceError) {
        let lines = try stored { () throws(FileError) in try present() }
        guard !lines.isEmpty else { return }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        try stored { () throws(FileError) in
            let file = try Directory(path: aside).plainFile(Self.list, O_WRONLY | O_CREAT | O_EXCL)
            defer { close(file) }
            guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
                throw FileError("writing", Self.list(in: aside))
            }
        }
    }

    private func present() throws(FileError) -> [String] {
        let root: Directory
        do throws(FileError) { root = try Directory(path: stateDirectory + "/bundles") } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
        var lines: [String] = []
        for id in try root.entries().sorted() where !id.text.hasPrefix(".") {
            for hash in try root.directory(id).entries().sorted() where hash.text != "built-in" {
                lines.append("\(id.text)/\(hash.text)")
            }
        }
        return lines
    }

    /// `<id>/<hash>` of all listed copies.
    /// - Throws: if a list exists and cannot be read, because its content is unknown.
    func kept() throws(FileError) -> Set<String> {
        var kept: Set<String> = []
        let state = try Directory(path: stateDirectory)
        for name in try state.entries() where name.text.hasPrefix(Self.prefix) {
            guard try state.status(name).map({ $0.st_mode & S_IFMT == S_IFDIR }) == true,
                try state.directory(name).status(Self.list) != nil
            else { continue }
            let path = Self.list(in: "\(stateDirectory)/\(name.text)")
            guard let text = readWhole(path) else { throw FileError("reading", path) }
            kept.formUnion(text.split(separator: "\n").map(String.init))
        }
        return kept
    }
}
