/// The small file beside a store, `<path>-state`, that holds the newest `CommittedState`.
///
/// It is written in place after each commit, into the slot that does not contain the last synced state, so
/// that a torn write leaves the synced one. It is synced when the service is idle and before each checkpoint.
final class Sidecar {
    static let suffix = "-state"
    /// The slots are a page apart, so that no disk sector contains both.
    private static let slotBytes = 4096

    private let file: any OpenFile
    private let files: any StoreFiles
    private let path: String
    /// 0 or 1: the slot whose state is on disk.
    private var syncedSlot: Int
    private var isSynced = true
    private var syncHasFailed = false
    private(set) var newest: CommittedState
    /// Whether one of the two states was invalid when the file was opened.
    private(set) var wasHalfBroken = false

    /// Opens the sidecar of a store.
    /// - Returns: nil if there is none.
    /// - Throws: `.damaged` if neither state is valid.
    static func open(beside storePath: String, in files: any StoreFiles) throws(StoreError) -> Sidecar? {
        let path = storePath + suffix
        guard let file = try files.open(path, .updating) else { return nil }
        let states = try states(in: file)
        let newest = (0...1).max { states[$0]?.number ?? -1 < states[$1]?.number ?? -1 }
        guard let slot = newest, let state = states[slot] else { throw broken(path, storePath) }
        // A killed process may leave a state that is not on disk yet; after a failed sync only what is
        // written again gets there (fsync(2)).
        try file.write(state.encoded(), at: slot * slotBytes)
        try file.sync()
        let sidecar = Sidecar(file, in: files, path: path, slot, state)
        sidecar.wasHalfBroken = states.contains { $0 == nil }
        return sidecar
    }

    /// The states in both slots; nil for an invalid one.
    private static func states(in file: any OpenFile) throws(StoreError) -> [CommittedState?] {
        var states: [CommittedState?] = []
        for slot in 0...1 {
            states.append(
                CommittedState(try file.read(at: slot * slotBytes, count: CommittedState.bytesCount)))
        }
        return states
    }

    private static func broken(_ path: String, _ storePath: String) -> StoreError {
        StoreError(
            .damaged, message: "opening \(storePath): its sidecar \(path) is damaged",
            remedy: "Restore a backup; or, to accept the store as it is, remove \(path).")
    }

    /// Creates the file, complete and synced, replacing any earlier one.
    static func create(
        beside storePath: String, in files: any StoreFiles, _ state: CommittedState
    ) throws(StoreError) -> Sidecar {
        let path = storePath + suffix
        let part = path + ".part"
        try files.remove(part)
        let file = try files.create(part)
        // Both slots, so that later writes need no new space and cannot fail on a full disk.
        let rest = [UInt8](repeating: 0, count: slotBytes - CommittedState.bytesCount)
        for slot in 0...1 { try file.write(state.encoded() + rest, at: slot * slotBytes) }
        try file.sync()
        try files.rename(part, to: path)
        try files.syncDirectory(of: path)
        return Sidecar(file, in: files, path: path, 0, state)
    }

    private init(
        _ file: any OpenFile, in files: any StoreFiles, path: String, _ slot: Int, _ state: CommittedState
    ) {
        self.file = file
        self.files = files
        self.path = path
        syncedSlot = slot
        newest = state
    }

    /// Writes a new state. It survives the end of the process and, after `sync`, a power cut.
    func write(_ state: CommittedState) throws(StoreError) {
        var state = state
        state.number = newest.number + 1
        try file.write(state.encoded(), at: (1 - syncedSlot) * Self.slotBytes)
        newest = state
        isSynced = false
    }

    func sync() throws(StoreError) {
        guard !isSynced else { return }
        // After a failed sync a second one writes nothing (fsync(2)).
        if syncHasFailed { try file.write(newest.encoded(), at: (1 - syncedSlot) * Self.slotBytes) }
        syncHasFailed = true
        try file.sync()
        syncHasFailed = false
        syncedSlot = 1 - syncedSlot
        isSynced = true
    }

    /// What is wrong with the file on disk; nil if it holds what was written.
    func finding() -> String? {
        do throws(StoreError) {
            // By its name: another file may have it.
            let states = try Self.states(in: try files.open(existing: path))
            guard !states.contains(where: { $0 == nil }) else { return "\(path) is damaged" }
            let slot = isSynced ? syncedSlot : 1 - syncedSlot
            return states[slot] == newest ? nil : "\(path) differs from what was written"
        } catch {
            return "\(path) cannot be read: \(error.message)"
        }
    }
}
