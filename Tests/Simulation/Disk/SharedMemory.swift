import CPosix
import CSQLite
import Glibc

/// The memory that connections to one write-ahead log share (SQLite's wal-index), with its eight locks. It is
/// lost when the last process leaves it, as SQLite's own VFS clears the file -shm then.
final class SharedMemory {
    private struct Slot {
        var exclusive: ObjectIdentifier?
        var shared: Set<ObjectIdentifier> = []
    }

    /// Of a memfd: each process maps it by itself, so that a dead one can be cut off.
    fileprivate let descriptor: Int32
    fileprivate private(set) var bytes = 0
    /// MFD_CLOEXEC, which the header shows only with _GNU_SOURCE.
    private static let closedByExec: UInt32 = 1
    private var slots = [Slot](repeating: Slot(), count: Int(SQLITE_SHM_NLOCK))
    /// Living processes that have it.
    var usersCount = 0

    init() throws(DiskError) {
        descriptor = memfd_create("simulated wal-index", Self.closedByExec)
        guard descriptor >= 0 else { throw DiskError(code: errno) }
    }

    deinit {
        // Nothing of it is on a disk.
        _ = Glibc.close(descriptor)
    }

    fileprivate func grow(to bytes: Int) throws(DiskError) {
        guard bytes > self.bytes else { return }
        guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw DiskError(code: errno) }
        self.bytes = bytes
    }

    // MARK: locks

    /// - Returns: false if another handle's lock is in the way; then no slot is locked.
    func lock(_ range: Range<Int>, for handle: ObjectIdentifier, exclusively: Bool) -> Bool {
        for slot in slots[range] {
            if let holder = slot.exclusive, holder != handle { return false }
            if exclusively, slot.shared.contains(where: { $0 != handle }) { return false }
        }
        for index in range {
            if exclusively { slots[index].exclusive = handle } else { slots[index].shared.insert(handle) }
        }
        return true
    }

    func unlock(_ range: Range<Int>, for handle: ObjectIdentifier) {
        for index in range {
            if slots[index].exclusive == handle { slots[index].exclusive = nil }
            slots[index].shared.remove(handle)
        }
    }

    func unlockAll(for handle: ObjectIdentifier) { unlock(slots.indices, for: handle) }
}

/// The shared memory as one process sees it.
final class MemoryView {
    let memory: SharedMemory
    /// Nil after it was left.
    private var file: DiskFile?
    private var regions: [UnsafeMutableRawPointer] = []
    private var regionBytes = 0
    /// Handles of the process that use it.
    private(set) var handles: Set<ObjectIdentifier> = []

    /// Creates the memory of a file if no process has it.
    init(of file: DiskFile) throws(DiskError) {
        let memory = if let memory = file.memory { memory } else { try SharedMemory() }
        self.file = file
        self.memory = memory
        file.memory = memory
        memory.usersCount += 1
    }

    deinit {
        leave()
        // The addresses are those that mmap returned.
        for region in regions { munmap(region, regionBytes) }
    }

    func attach(_ handle: ObjectIdentifier) { handles.insert(handle) }

    func detach(_ handle: ObjectIdentifier) {
        memory.unlockAll(for: handle)
        handles.remove(handle)
    }

    /// Address of a region; nil if it does not exist and is not wanted.
    func region(_ index: Int, bytes: Int, isWanted: Bool) throws(DiskError) -> UnsafeMutableRawPointer? {
        regionBytes = bytes
        if isWanted { try memory.grow(to: (index + 1) * bytes) }
        guard memory.bytes >= (index + 1) * bytes else { return nil }
        while regions.count <= index {
            let address = mmap(
                nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor,
                off_t(regions.count * bytes))
            guard let address, address != MAP_FAILED else { throw DiskError(code: errno) }
            regions.append(address)
        }
        return regions[index]
    }

    /// The process died: SQLite keeps the addresses and may still write to them, which changes only a copy.
    func cutOff() {
        guard file != nil else { return }
        for (index, region) in regions.enumerated() {
            let mapped = mmap(
                region, regionBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, memory.descriptor,
                off_t(index * regionBytes))
            precondition(mapped == region, "mmap with MAP_FIXED over own memory failed with errno \(errno)")
        }
        for handle in handles { memory.unlockAll(for: handle) }
        leave()
    }

    private func leave() {
        guard let file else { return }
        self.file = nil
        memory.usersCount -= 1
        if memory.usersCount == 0 { file.memory = nil }
    }
}
