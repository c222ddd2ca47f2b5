import CSQLite
import Glibc

/// A file that SQLite has open.
final class SQLiteFile {
    /// What SQLite allocates for it.
    struct Opened {
        var base: sqlite3_file
        /// Unretained: the process has it until it is closed.
        var file: Unmanaged<SQLiteFile>?
    }

    let process: SimulatedProcess
    private(set) var file: DiskFile
    let path: String
    /// Errno of the last failed operation, as SQLite's own VFS keeps it: a read that succeeds leaves it, one
    /// that ends early resets it.
    private var lastError: Int32 = 0
    /// The next sync makes the file's creation durable, too.
    private var mustSyncDirectory: Bool
    private var memory: MemoryView?
    /// See SQLITE_FCNTL_PERSIST_WAL and SQLITE_FCNTL_POWERSAFE_OVERWRITE.
    private var keepsLog: Int32 = 0
    private var isSafeToOverwrite: Int32 = 1

    init(_ path: String, _ file: DiskFile, of process: SimulatedProcess, mustSyncDirectory: Bool) {
        self.path = path
        self.file = file
        self.process = process
        self.mustSyncDirectory = mustSyncDirectory
    }

    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    func close() {
        unmapMemory()
        file.locks.lower(id, to: SQLITE_LOCK_NONE)
        process.remove(self)
    }

    /// The process died: its locks are released, and nothing reaches the file any more.
    func cutOff() {
        file.locks.lower(id, to: SQLITE_LOCK_NONE)
        file = DiskFile(isTemporary: true)
    }

    // MARK: content

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
        do throws(DiskError) {
            let count = try process.read(file, path, into: buffer, at: offset)
            guard count < buffer.count else { return SQLITE_OK }
            lastError = 0
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                .initializeMemory(as: UInt8.self, repeating: 0)
            return ResultCode.shortRead
        } catch {
            lastError = error.code
            return process.isDead ? ResultCode.read : ResultCode.corruptFileSystem
        }
    }

    func write(_ content: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
        do throws(DiskError) {
            try process.write(content, to: file, path, at: offset)
            return SQLITE_OK
        } catch {
            return error.code == ENOSPC ? SQLITE_FULL : ResultCode.write
        }
    }

    func truncate(to count: Int) -> Int32 {
        do throws(DiskError) {
            let permit = try process.begin(.truncate, path, bytes: count)
            file.truncate(to: count)
            try process.finish(permit)
            return SQLITE_OK
        } catch {
            return ResultCode.truncate
        }
    }

    func sync() -> Int32 {
        do throws(DiskError) { try process.sync(file, path) } catch { return ResultCode.sync }
        guard mustSyncDirectory else { return SQLITE_OK }
        mustSyncDirectory = false
        // SQLite's own VFS ignores this failure, too.
        try? process.syncDirectory(of: path)
        return process.isDead ? ResultCode.sync : SQLITE_OK
    }

    var size: Int? { process.isDead ? nil : file.bytes.count }

    // MARK: locks

    func lock(_ level: Int32) -> Int32 {
        guard file.locks.level(of: id) < level else { return SQLITE_OK }
        do throws(DiskError) {
            let permit = try process.begin(.lock, path)
            let isLocked = file.locks.raise(id, to: level)
            try process.finish(permit)
            return isLocked ? SQLITE_OK : SQLITE_BUSY
        } catch {
            return ResultCode.lock
        }
    }

    func unlock(_ level: Int32) {
        file.locks.lower(id, to: level)
    }

    // MARK: shared memory

    func mapMemory(
        _ index: Int, bytes: Int, isWanted: Bool, _ address: inout UnsafeMutableRawPointer?
    ) -> Int32 {
        address = nil
        do throws(DiskError) {
            let permit = try process.begin(.mapMemory, path)
            let memory = if let memory { memory } else { try process.memory(of: file, for: id) }
            self.memory = memory
            address = try memory.region(index, bytes: bytes, isWanted: isWanted)
            try process.finish(permit)
            return SQLITE_OK
        } catch {
            return ResultCode.mapMemory
        }
    }

    func lockMemory(_ range: Range<Int>, _ flags: Int32) -> Int32 {
        guard let memory, !process.isDead else { return ResultCode.lockMemory }
        if flags & SQLITE_SHM_UNLOCK != 0 {
            memory.memory.unlock(range, for: id)
            return SQLITE_OK
        }
        do throws(DiskError) {
            let permit = try process.begin(.lock, path)
            let isLocked = memory.memory.lock(
                range, for: id, exclusively: flags & SQLITE_SHM_EXCLUSIVE != 0)
            try process.finish(permit)
            return isLocked ? SQLITE_OK : SQLITE_BUSY
        } catch {
            return ResultCode.lockMemory
        }
    }

    func unmapMemory() {
        guard let memory else { return }
        self.memory = nil
        process.leave(memory, for: id)
    }

    // MARK: controls

    func control(_ code: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        guard let argument else { return SQLITE_NOTFOUND }
        switch code {
        case SQLITE_FCNTL_LOCKSTATE:
            argument.storeBytes(of: file.locks.level(of: id), as: Int32.self)
        case SQLITE_FCNTL_LAST_ERRNO:
            argument.storeBytes(of: lastError, as: Int32.self)
        case SQLITE_FCNTL_PERSIST_WAL: Self.flag(argument, &keepsLog)
        case SQLITE_FCNTL_POWERSAFE_OVERWRITE: Self.flag(argument, &isSafeToOverwrite)
        case SQLITE_FCNTL_HAS_MOVED:
            let named = process.disk?.directory.files[path]
            let hasMoved = path != SimulatedDisk.temporaryName && named !== file
            argument.storeBytes(of: hasMoved ? 1 : 0, as: Int32.self)
        default: return SQLITE_NOTFOUND
        }
        return SQLITE_OK
    }

    /// Reads the flag for a negative argument, sets it for another one.
    private static func flag(_ argument: UnsafeMutableRawPointer, _ flag: inout Int32) {
        let given = argument.load(as: Int32.self)
        if given < 0 { argument.storeBytes(of: flag, as: Int32.self) } else { flag = given == 0 ? 0 : 1 }
    }

    var characteristics: Int32 { isSafeToOverwrite == 0 ? 0 : SQLITE_IOCAP_POWERSAFE_OVERWRITE }
}

/// What SQLite asks of a process by its VFS.
extension SimulatedProcess {
    private static let createdForJournals =
        SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL

    /// - Parameter name: nil for a temporary file.
    func open(_ name: String?, _ flags: Int32, as opened: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        // Without methods SQLite does not close it.
        opened.pointee.pMethods = nil
        do throws(DiskError) {
            let file = try diskFile(name, flags)
            let isJournal = flags & Self.createdForJournals != 0 && flags & SQLITE_OPEN_CREATE != 0
            let object = SQLiteFile(
                name ?? SimulatedDisk.temporaryName, file, of: self, mustSyncDirectory: isJournal)
            add(object)
            UnsafeMutableRawPointer(opened).initializeMemory(
                as: SQLiteFile.Opened.self,
                to: SQLiteFile.Opened(
                    base: sqlite3_file(pMethods: SQLiteFileMethods.table),
                    file: Unmanaged.passUnretained(object)))
            return SQLITE_OK
        } catch {
            return SQLITE_CANTOPEN
        }
    }

    private func diskFile(_ name: String?, _ flags: Int32) throws(DiskError) -> DiskFile {
        guard let name else {
            try finish(try begin(.create, SimulatedDisk.temporaryName))
            return DiskFile(isTemporary: true)
        }
        if let file = try open(name) {
            guard flags & SQLITE_OPEN_EXCLUSIVE == 0 else { throw error(EEXIST) }
            return file
        }
        guard flags & SQLITE_OPEN_CREATE != 0 else { throw error(ENOENT) }
        let file = try create(name)
        // As SQLite's own VFS: the name is gone while the file is open.
        if flags & SQLITE_OPEN_DELETEONCLOSE != 0 { _ = try remove(name) }
        return file
    }

    func delete(_ path: String, syncDirectory isSynced: Bool) -> Int32 {
        do throws(DiskError) {
            guard try remove(path) else { return ResultCode.deleteMissing }
        } catch {
            return ResultCode.delete
        }
        guard isSynced else { return SQLITE_OK }
        do throws(DiskError) { try syncDirectory(of: path) } catch { return ResultCode.syncDirectory }
        return SQLITE_OK
    }
}

/// Extended result codes of SQLite, whose macros Swift does not import.
enum ResultCode {
    static let read = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let sync = SQLITE_IOERR | 4 << 8
    static let syncDirectory = SQLITE_IOERR | 5 << 8
    static let truncate = SQLITE_IOERR | 6 << 8
    static let size = SQLITE_IOERR | 7 << 8
    static let delete = SQLITE_IOERR | 10 << 8
    static let access = SQLITE_IOERR | 13 << 8
    static let lock = SQLITE_IOERR | 15 << 8
    static let lockMemory = SQLITE_IOERR | 20 << 8
    static let mapMemory = SQLITE_IOERR | 21 << 8
    static let deleteMissing = SQLITE_IOERR | 23 << 8
    static let corruptFileSystem = SQLITE_IOERR | 33 << 8
}
