import CSQLite
import Glibc
import Units

/// The SQLite VFS of one life of a process.
final class VFSRegistration {
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let cName: UnsafeMutablePointer<CChar>
    let name: String

    /// - Parameter process: owns this object, so that the VFS never outlives it.
    init(for process: SimulatedProcess) {
        vfs = .allocate(capacity: 1)
        // The address is unique while the name is registered.
        name = "simulated-\(UInt(bitPattern: vfs))"
        let utf8 = Array(name.utf8CString)
        cName = .allocate(capacity: utf8.count)
        cName.initialize(from: utf8, count: utf8.count)
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 2
        vfs.pointee.szOsFile = Int32(MemoryLayout<SQLiteFile.Opened>.size)
        vfs.pointee.mxPathname = 512
        vfs.pointee.zName = UnsafePointer(cName)
        vfs.pointee.pAppData = Unmanaged.passUnretained(process).toOpaque()
        setMethods()
        let code = sqlite3_vfs_register(vfs, 0)
        precondition(code == SQLITE_OK, "sqlite3_vfs_register failed with \(code)")
    }

    deinit {
        // It is registered, so this does not fail.
        sqlite3_vfs_unregister(vfs)
        vfs.deinitialize(count: 1)
        vfs.deallocate()
        cName.deallocate()
    }

    private func setMethods() {
        vfs.pointee.xOpen = { vfs, name, file, flags, outFlags in
            guard let process = VFSRegistration.process(vfs), let file else { return SQLITE_CANTOPEN }
            outFlags?.pointee = flags
            return process.open(name.map { String(cString: $0) }, flags, as: file)
        }
        vfs.pointee.xDelete = { vfs, name, syncDirectory in
            guard let process = VFSRegistration.process(vfs), let name else { return ResultCode.delete }
            return process.delete(String(cString: name), syncDirectory: syncDirectory != 0)
        }
        vfs.pointee.xAccess = { vfs, name, flags, result in
            guard let process = VFSRegistration.process(vfs), let name else { return ResultCode.access }
            do throws(DiskError) {
                let bytes = try process.examine(String(cString: name))
                // SQLite's own VFS regards an empty file as missing here.
                let isThere = flags == SQLITE_ACCESS_EXISTS ? bytes ?? 0 > 0 : bytes != nil
                result?.pointee = isThere ? 1 : 0
                return SQLITE_OK
            } catch {
                return ResultCode.access
            }
        }
        vfs.pointee.xFullPathname = { _, name, room, full in
            guard let name, let full, strlen(name) < Int(room) else { return SQLITE_CANTOPEN }
            strcpy(full, name)
            return SQLITE_OK
        }
        vfs.pointee.xRandomness = { vfs, count, bytes in
            guard let disk = VFSRegistration.process(vfs)?.disk, let bytes else { return 0 }
            for index in 0..<Int(count) { bytes[index] = CChar(truncatingIfNeeded: disk.random.next()) }
            return count
        }
        // The time of the simulation does not pass while SQLite waits for a lock.
        vfs.pointee.xSleep = { _, microseconds in microseconds }
        vfs.pointee.xGetLastError = { vfs, _, _ in VFSRegistration.process(vfs)?.lastError ?? 0 }
        vfs.pointee.xCurrentTimeInt64 = { vfs, time in
            guard let disk = VFSRegistration.process(vfs)?.disk else { return SQLITE_ERROR }
            time?.pointee = VFSRegistration.julianMilliseconds(disk.now())
            return SQLITE_OK
        }
        vfs.pointee.xCurrentTime = { vfs, time in
            guard let disk = VFSRegistration.process(vfs)?.disk else { return SQLITE_ERROR }
            time?.pointee = Double(VFSRegistration.julianMilliseconds(disk.now())) / 86_400_000
            return SQLITE_OK
        }
    }

    private static func process(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SimulatedProcess? {
        vfs?.pointee.pAppData.map { Unmanaged<SimulatedProcess>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Milliseconds since the beginning of the Julian calendar: 1970 is day 2440587.5.
    private static func julianMilliseconds(_ time: Instant) -> Int64 {
        time.milliseconds + 210_866_760_000_000
    }
}

extension SimulatedDisk {
    /// Seeds SQLite's random numbers, from which the salts of write-ahead logs are, and those of temporary
    /// names. They are one sequence for all of this process: two runs with one seed make the same files if
    /// nothing else in the process uses SQLite meanwhile.
    /// - Parameter seed: 0 takes random ones of the machine again.
    package static func seedSQLite(_ seed: UInt32) {
        screentime_sqlite3_seed(seed)
    }
}
