import CSQLite

/// SQLite's locks on a database file, as its own VFS maps them to POSIX locks: many SHARED, one RESERVED
/// beside them, and EXCLUSIVE alone, which waits as PENDING and admits no new reader meanwhile.
struct AdvisoryLocks {
    private var levels: [ObjectIdentifier: Int32] = [:]

    /// The level that a handle holds.
    func level(of handle: ObjectIdentifier) -> Int32 { levels[handle] ?? SQLITE_LOCK_NONE }

    /// Whether any handle holds RESERVED or more.
    var isReserved: Bool { levels.values.contains { $0 >= SQLITE_LOCK_RESERVED } }

    /// Raises the level of a handle.
    /// - Returns: false if another one is in the way; a handle that wanted EXCLUSIVE may have PENDING then.
    mutating func raise(_ handle: ObjectIdentifier, to level: Int32) -> Bool {
        guard self.level(of: handle) < level else { return true }
        let others = levels.filter { $0.key != handle }.values.max() ?? SQLITE_LOCK_NONE
        switch level {
        case SQLITE_LOCK_SHARED:
            guard others < SQLITE_LOCK_PENDING else { return false }
        case SQLITE_LOCK_RESERVED:
            guard others < SQLITE_LOCK_RESERVED else { return false }
        default:
            guard others < SQLITE_LOCK_PENDING else { return false }
            if others > SQLITE_LOCK_NONE {
                levels[handle] = SQLITE_LOCK_PENDING
                return false
            }
        }
        levels[handle] = level
        return true
    }

    /// Lowers the level of a handle to SHARED or NONE.
    mutating func lower(_ handle: ObjectIdentifier, to level: Int32) {
        guard self.level(of: handle) > level else { return }
        levels[handle] = level == SQLITE_LOCK_NONE ? nil : level
    }
}
