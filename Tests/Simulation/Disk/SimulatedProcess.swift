import CSQLite
import Glibc

/// One life of a process that uses the disk, with an SQLite VFS of its own. It lives as long as anything has
/// its files, or SQLite has one open.
final class SimulatedProcess {
    let owner: String
    /// Nil after its death, so that what SQLite keeps of a dead process does not keep its disk.
    private(set) var disk: SimulatedDisk?
    /// errno of the last failed operation, for SQLite.
    private(set) var lastError: Int32 = 0
    /// Files that SQLite has open.
    private var sqliteFiles: [ObjectIdentifier: SQLiteFile] = [:]
    private var memories: [ObjectIdentifier: MemoryView] = [:]
    private var registration: VFSRegistration?

    init(_ owner: String, on disk: SimulatedDisk) {
        self.owner = owner
        self.disk = disk
        registration = VFSRegistration(for: self)
    }

    var isDead: Bool { disk == nil }
    var vfsName: String { registration?.name ?? "" }

    /// Afterwards nothing of this process changes the disk or another process.
    func die() {
        guard !isDead else { return }
        disk = nil
        for file in sqliteFiles.values { file.cutOff() }
        for memory in memories.values { memory.cutOff() }
    }

    // MARK: operations

    /// An operation that the plan of faults lets happen.
    struct Permit {
        let disk: SimulatedDisk
        /// Whether the process dies at its end.
        let dies: Bool
    }

    /// Counts an operation, and lets the plan of faults decide.
    /// - Returns: what to pass to `finish` after it.
    func begin(_ kind: DiskOperation.Kind, _ path: String, bytes: Int = 0) throws(DiskError) -> Permit {
        guard let disk else { throw error(EIO) }
        disk.count(kind, bytes: bytes)
        let operation = DiskOperation(kind: kind, path: path, owner: owner, bytes: bytes)
        let fault = disk.fault?(operation)
        guard !isDead else { throw error(EIO) }
        switch fault {
        case nil: return Permit(disk: disk, dies: false)
        case .dieAfter: return Permit(disk: disk, dies: true)
        case .full: throw error(ENOSPC)
        case .io: throw error(EIO)
        case .shortWrite(let written): throw error(ENOSPC, written: written)
        case .dieBefore: throw dieByFault(on: disk)
        }
    }

    func finish(_ permit: Permit) throws(DiskError) {
        if permit.dies { throw dieByFault(on: permit.disk) }
    }

    private func dieByFault(on disk: SimulatedDisk) -> DiskError {
        disk.processDied(owner)
        disk.died?(owner)
        return error(EIO)
    }

    func error(_ code: Int32, written: Int = 0) -> DiskError {
        lastError = code
        return DiskError(code: code, written: written)
    }

    // MARK: what SQLite has open

    func add(_ file: SQLiteFile) { sqliteFiles[ObjectIdentifier(file)] = file }
    func remove(_ file: SQLiteFile) { sqliteFiles[ObjectIdentifier(file)] = nil }

    /// The shared memory of a file as this process sees it.
    func memory(of file: DiskFile, for handle: ObjectIdentifier) throws(DiskError) -> MemoryView {
        let key = ObjectIdentifier(file)
        let view = if let view = memories[key] { view } else { try MemoryView(of: file) }
        memories[key] = view
        view.attach(handle)
        return view
    }

    func leave(_ view: MemoryView, for handle: ObjectIdentifier) {
        view.detach(handle)
        guard view.handles.isEmpty else { return }
        memories = memories.filter { $0.value !== view }
    }
}

/// What both kinds of open files do.
extension SimulatedProcess {
    func read(
        _ file: DiskFile, _ path: String, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DiskError) -> Int {
        let permit = try begin(.read, path, bytes: buffer.count)
        let count = file.read(into: buffer, at: offset)
        try finish(permit)
        return count
    }

    func write(
        _ content: UnsafeRawBufferPointer, to file: DiskFile, _ path: String, at offset: Int
    ) throws(DiskError) {
        let permit: Permit
        do throws(DiskError) {
            permit = try begin(.write, path, bytes: content.count)
        } catch {
            let written = min(error.written, content.count)
            if written > 0 { file.write(.init(rebasing: content[..<written]), at: offset) }
            throw error
        }
        file.write(content, at: offset)
        try finish(permit)
    }

    func sync(_ file: DiskFile, _ path: String) throws(DiskError) {
        let permit: Permit
        do throws(DiskError) {
            permit = try begin(.sync, path)
        } catch {
            if let disk { file.failSync(using: &disk.random) }
            throw error
        }
        file.sync()
        try finish(permit)
    }

    func syncDirectory(of path: String) throws(DiskError) {
        let permit = try begin(.syncDirectory, path)
        permit.disk.directory.sync(directoryOf: path)
        try finish(permit)
    }

    func create(_ path: String) throws(DiskError) -> DiskFile {
        let permit = try begin(.create, path)
        guard permit.disk.directory.files[path] == nil else { throw error(EEXIST) }
        let file = DiskFile()
        permit.disk.directory.put(file, at: path)
        try finish(permit)
        return file
    }

    /// - Returns: nil if it does not exist.
    func open(_ path: String) throws(DiskError) -> DiskFile? {
        let permit = try begin(.open, path)
        let file = permit.disk.directory.files[path]
        try finish(permit)
        return file
    }

    /// - Returns: its size; nil if it does not exist.
    func examine(_ path: String) throws(DiskError) -> Int? {
        let permit = try begin(.examine, path)
        let bytes = permit.disk.directory.files[path]?.bytes.count
        try finish(permit)
        return bytes
    }

    /// - Returns: whether it existed.
    func remove(_ path: String) throws(DiskError) -> Bool {
        let permit = try begin(.remove, path)
        let exists = permit.disk.directory.files[path] != nil
        if exists { permit.disk.directory.remove(path) }
        try finish(permit)
        return exists
    }

    func rename(_ path: String, to name: String) throws(DiskError) {
        let permit = try begin(.rename, path)
        guard permit.disk.directory.files[path] != nil else { throw error(ENOENT) }
        permit.disk.directory.rename(path, to: name)
        try finish(permit)
    }
}
