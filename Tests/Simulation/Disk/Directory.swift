/// The names on a disk: as processes see them, and as they survive a power cut.
///
/// Changes of one directory reach the disk in their order, as in a file system with a journal: after a power
/// cut the first ones are there, any number of them. Directories themselves are durable at once.
struct Directory {
    private enum Change {
        case put(String, DiskFile)
        case remove(String)
        /// Both names change in one step.
        case rename(String, to: String, DiskFile)
    }

    /// By path, as processes see them.
    private(set) var files: [String: DiskFile] = [:]
    private(set) var durable: [String: DiskFile] = [:]
    /// By directory.
    private var unsynced: [String: [Change]] = [:]

    /// All files in a fixed order, also those that are only durable, each with its paths.
    var all: [(path: String, file: DiskFile?, durable: DiskFile?)] {
        Set(files.keys).union(durable.keys).sorted().map { ($0, files[$0], durable[$0]) }
    }

    mutating func put(_ file: DiskFile, at path: String) {
        change(.put(path, file), in: path)
    }

    mutating func remove(_ path: String) {
        change(.remove(path), in: path)
    }

    mutating func rename(_ path: String, to name: String) {
        guard let file = files[path] else { return }
        change(.rename(path, to: name, file), in: name)
    }

    mutating func sync(directoryOf path: String) {
        for change in unsynced.removeValue(forKey: Self.directory(of: path)) ?? [] {
            Self.apply(change, to: &durable)
        }
    }

    mutating func cutPower(using random: inout some RandomNumberGenerator) {
        for directory in unsynced.keys.sorted() {
            let changes = unsynced[directory] ?? []
            for change in changes.prefix(Int.random(in: 0...changes.count, using: &random)) {
                Self.apply(change, to: &durable)
            }
        }
        unsynced = [:]
        files = durable
        for path in files.keys.sorted() { files[path]?.cutPower(using: &random) }
    }

    /// The same names of copies of the files.
    func copy() -> Directory {
        var copies: [ObjectIdentifier: DiskFile] = [:]
        func copy(of file: DiskFile) -> DiskFile {
            let copy = copies[ObjectIdentifier(file)] ?? file.copy()
            copies[ObjectIdentifier(file)] = copy
            return copy
        }
        var directory = Directory()
        directory.files = files.mapValues(copy)
        directory.durable = durable.mapValues(copy)
        directory.unsynced = unsynced.mapValues { changes in
            changes.map { change in
                switch change {
                case .put(let path, let file): .put(path, copy(of: file))
                case .remove: change
                case .rename(let path, let name, let file): .rename(path, to: name, copy(of: file))
                }
            }
        }
        return directory
    }

    private mutating func change(_ change: Change, in path: String) {
        Self.apply(change, to: &files)
        unsynced[Self.directory(of: path), default: []].append(change)
    }

    private static func apply(_ change: Change, to names: inout [String: DiskFile]) {
        switch change {
        case .put(let path, let file): names[path] = file
        case .remove(let path): names[path] = nil
        case .rename(let path, let name, let file):
            names[path] = nil
            names[name] = file
        }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
