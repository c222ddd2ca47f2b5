import Glibc

/// The small file beside a store, `<path>-state`, that holds the newest `CommittedState`.
///
/// It is written in place after each commit, into the slot that does not contain the last synced state, so
/// that a torn write leaves the synced one. It is synced when the service is idle and before each checkpoint.
final class Sidecar {
    static let suffix = "-state"
    /// The slots are a page apart, so that no disk sector contains both.
    private static let slotBytes = 4096

    private let path: String
    private let descriptor: Int32
    /// 0 or 1: the slot whose state is on disk.
    private var syncedSlot: Int
    private var isSynced = true
    private(set) var newest: CommittedState
    /// Whether one of the two states was invalid when the file was opened.
    private(set) var wasHalfBroken = false

    /// Opens the sidecar of a store.
    /// - Returns: nil if there is none.
    /// - Throws: `.damaged` if neither state is valid.
    static func open(beside storePath: String) throws(StoreError) -> Sidecar? {
        let path = storePath + suffix
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw StoreError(errno: errno, tried: "opening \(path)") }
            return nil
        }
        do throws(StoreError) {
            let file = try FileReader(path: path)
            var states: [CommittedState?] = []
            for slot in 0...1 {
                let bytes = try file.read(at: slot * slotBytes, count: CommittedState.bytesCount)
                states.append(CommittedState(bytes))
            }
            let newest = (0...1).max { states[$0]?.number ?? -1 < states[$1]?.number ?? -1 }
            guard let slot = newest, let state = states[slot] else { throw broken(path, storePath) }
            // A killed process may leave a state that is not on disk yet.
            guard fdatasync(descriptor) == 0 else { throw StoreError(errno: errno, tried: "syncing \(path)") }
            let sidecar = Sidecar(path, descriptor, slot, state)
            sidecar.wasHalfBroken = states.contains { $0 == nil }
            return sidecar
        } catch {
            // Nothing was written through this descriptor.
            _ = close(descriptor)
            throw error
        }
    }

    private static func broken(_ path: String, _ storePath: String) -> StoreError {
        StoreError(
            .damaged, message: "opening \(storePath): its sidecar \(path) is damaged",
            remedy: "Restore a backup; or, to accept the store as it is, remove \(path).")
    }

    /// Creates the file, complete and synced, replacing any earlier one.
    static func create(beside storePath: String, _ state: CommittedState) throws(StoreError) -> Sidecar {
        let path = storePath + suffix
        let part = path + ".part"
        guard unlink(part) == 0 || errno == ENOENT else {
            throw StoreError(errno: errno, tried: "removing \(part)")
        }
        let descriptor = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "creating \(part)") }
        let sidecar = Sidecar(path, descriptor, 0, state)
        // Both slots, so that later writes need no new space and cannot fail on a full disk.
        let rest = [UInt8](repeating: 0, count: slotBytes - CommittedState.bytesCount)
        for slot in 0...1 { try sidecar.write(state.encoded() + rest, to: slot) }
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, tried: "syncing \(part)") }
        guard rename(part, path) == 0 else { throw StoreError(errno: errno, tried: "naming \(path)") }
        try StoreFile.syncDirectory(of: path)
        return sidecar
    }

    private init(_ path: String, _ descriptor: Int32, _ slot: Int, _ state: CommittedState) {
        self.path = path
        self.descriptor = descriptor
        syncedSlot = slot
        newest = state
    }

    deinit {
        // What must be on disk was synced before.
        _ = close(descriptor)
    }

    /// Writes a new state. It survives the end of the process and, after `sync`, a power cut.
    func write(_ state: CommittedState) throws(StoreError) {
        var state = state
        state.number = newest.number + 1
        try write(state.encoded(), to: 1 - syncedSlot)
        newest = state
        isSynced = false
    }

    func sync() throws(StoreError) {
        guard !isSynced else { return }
        guard fdatasync(descriptor) == 0 else { throw StoreError(errno: errno, tried: "syncing \(path)") }
        syncedSlot = 1 - syncedSlot
        isSynced = true
    }

    /// What is wrong with the file on disk; nil if it holds what was written.
    func finding() -> String? {
        do throws(StoreError) {
            let file = try FileReader(path: path)
            var states: [CommittedState?] = []
            for slot in 0...1 {
                states.append(
                    CommittedState(
                        try file.read(at: slot * Self.slotBytes, count: CommittedState.bytesCount)))
            }
            guard !states.contains(where: { $0 == nil }) else { return "\(path) is damaged" }
            let slot = isSynced ? syncedSlot : 1 - syncedSlot
            return states[slot] == newest ? nil : "\(path) differs from what was written"
        } catch {
            return "\(path) cannot be read: \(error.message)"
        }
    }

    private func write(_ bytes: [UInt8], to slot: Int) throws(StoreError) {
        let written = pwrite(descriptor, bytes, bytes.count, off_t(slot * Self.slotBytes))
        guard written == bytes.count else {
            throw StoreError(errno: written < 0 ? errno : ENOSPC, tried: "writing \(path)")
        }
    }
}
