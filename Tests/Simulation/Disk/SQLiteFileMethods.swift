import CSQLite

/// The methods of `SQLiteFile` as SQLite calls them.
enum SQLiteFileMethods {
    /// Never freed, and never changed after its initialization, so that any thread may use it.
    nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods())
        return UnsafePointer(table)
    }()

    private static func file(_ opened: UnsafeMutablePointer<sqlite3_file>?) -> SQLiteFile? {
        guard let opened else { return nil }
        return UnsafeMutableRawPointer(opened).assumingMemoryBound(to: SQLiteFile.Opened.self)
            .pointee.file?.takeUnretainedValue()
    }

    private static func methods() -> sqlite3_io_methods {
        var table = sqlite3_io_methods()
        table.iVersion = 2
        addContent(to: &table)
        addLocks(to: &table)
        addSharedMemory(to: &table)
        return table
    }

    private static func addContent(to table: inout sqlite3_io_methods) {
        table.xClose = { opened in
            SQLiteFileMethods.file(opened)?.close()
            return SQLITE_OK
        }
        table.xRead = { opened, bytes, count, offset in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            return SQLiteFileMethods.file(opened)?.read(into: buffer, at: Int(offset)) ?? ResultCode.read
        }
        table.xWrite = { opened, bytes, count, offset in
            let content = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return SQLiteFileMethods.file(opened)?.write(content, at: Int(offset)) ?? ResultCode.write
        }
        table.xTruncate = { opened, count in
            SQLiteFileMethods.file(opened)?.truncate(to: Int(count)) ?? ResultCode.truncate
        }
        table.xSync = { opened, _ in SQLiteFileMethods.file(opened)?.sync() ?? ResultCode.sync }
        table.xFileSize = { opened, size in
            guard let bytes = SQLiteFileMethods.file(opened)?.size else { return ResultCode.size }
            size?.pointee = sqlite3_int64(bytes)
            return SQLITE_OK
        }
        table.xFileControl = { opened, code, argument in
            SQLiteFileMethods.file(opened)?.control(code, argument) ?? SQLITE_NOTFOUND
        }
        table.xSectorSize = { _ in 4096 }
        table.xDeviceCharacteristics = { opened in SQLiteFileMethods.file(opened)?.characteristics ?? 0 }
    }

    private static func addLocks(to table: inout sqlite3_io_methods) {
        table.xLock = { opened, level in SQLiteFileMethods.file(opened)?.lock(level) ?? ResultCode.lock }
        table.xUnlock = { opened, level in
            SQLiteFileMethods.file(opened)?.unlock(level)
            return SQLITE_OK
        }
        table.xCheckReservedLock = { opened, result in
            result?.pointee = SQLiteFileMethods.file(opened)?.file.locks.isReserved == true ? 1 : 0
            return SQLITE_OK
        }
    }

    private static func addSharedMemory(to table: inout sqlite3_io_methods) {
        table.xShmMap = { opened, index, bytes, isWanted, result in
            guard let file = SQLiteFileMethods.file(opened) else { return ResultCode.mapMemory }
            var address: UnsafeMutableRawPointer?
            let code = file.mapMemory(Int(index), bytes: Int(bytes), isWanted: isWanted != 0, &address)
            result?.pointee = address
            return code
        }
        table.xShmLock = { opened, first, count, flags in
            let range = Int(first)..<Int(first + count)
            return SQLiteFileMethods.file(opened)?.lockMemory(range, flags) ?? ResultCode.lockMemory
        }
        // One thread needs no barrier.
        table.xShmBarrier = { _ in }
        table.xShmUnmap = { opened, _ in
            SQLiteFileMethods.file(opened)?.unmapMemory()
            return SQLITE_OK
        }
    }
}
