import Contract
internal import CPosix
internal import ExtensionLink
internal import FileAccess
import Glibc
import Loop

/// Why a process of an extension is started.
package enum HostedPurpose: Sendable {
    /// It serves requests, with the extension's files.
    case serving
    /// One callback for the developer of the extension: with the same files, but without a journal.
    case trial
    /// It reports at installation what it serves: without the extension's files.
    case proof
}

/// The files that one process of an extension may use, from before its start until its exit was seen. Each
/// process has a separate temporary directory, and nothing is deleted that a process may still use.
@LoopActor final class ProcessFiles {
    /// HOME: the extension's container, or an empty read-only directory if it stores nothing.
    let home: String
    /// TMPDIR of this process only. With bubblewrap, a file system in memory is mounted over it.
    let temporary: String
    let groups: [AppGroup]
    /// Directories it may change.
    let writable: [String]
    /// Directories it may read.
    let readable: [String]
    /// Descriptor of its journal of callbacks that returned; nil if it has none.
    let journal: Int32?
    private let files: HostFiles
    private let number: Int64
    /// Nil if it has none, or it is no longer needed.
    private var container: OpenDirectory?
    private let isInMemory: Bool
    private var places: [MeasuredPlace]
    /// The copy of its bundle, locked against deletion.
    private var bundle: OpenDirectory?
    /// When it was about to start, by the clock of the file system.
    private var began: timespec
    private var isOpen = true

    /// - Parameters:
    ///   - number: unique among the processes of this host.
    ///   - isInMemory: bubblewrap mounts memory over the temporary directory.
    /// - Throws: `storageFull` if a container or group is over its limit.
    init(
        _ program: ExtensionRecord, _ purpose: HostedPurpose, _ files: HostFiles, number: Int64,
        isInMemory: Bool
    ) throws(ServiceError) {
        self.files = files
        self.number = number
        let own = purpose != .proof && program.point.keepsFiles
        let use = program.point.groupUse
        let container = own ? try files.container(program.id) : nil
        var shared: [(AppGroup, OpenDirectory)] = []
        // At installation a program may read its groups, but not change them.
        let writes = use == .write && purpose != .proof
        for id in use == .none ? [] : program.groups ?? [] {
            let group = try files.group(id)
            shared.append((AppGroup(id: id, path: group.path, writable: writes), group))
        }
        var places = container.map { [MeasuredPlace("its container", $0, MeasuredPlace.container)] } ?? []
        for (group, place) in shared where group.writable {
            places.append(MeasuredPlace("the app group '\(group.id)'", place, MeasuredPlace.group))
        }
        for place in places {
            // If it is locked exclusively, then by another process of this extension, which only causes that
            // the container is deleted while it uses it.
            _ = try stored { () throws(FileError) in try place.place.directory.lock(.shared) }
            if let excess = place.excess() {
                throw ServiceError(
                    .storageFull, "\(excess.sentence)",
                    remedy: "Remove files from '\(place.place.path)', or the extension.")
            }
        }
        bundle = try BundleStore.lock(program)
        let (empty, temporary) = try files.temporary(number)
        if !isInMemory {
            places.append(MeasuredPlace("its temporary directory", temporary, MeasuredPlace.temporary))
        }
        do throws(ServiceError) {
            began = try stored { () throws(FileError) in try temporary.directory.status().st_ctim }
            journal = try Self.journal(program, purpose, files)
        } catch {
            try files.remove(temporary: number)
            throw error
        }
        self.container = container
        self.temporary = temporary.path
        self.isInMemory = isInMemory
        self.places = places
        home = container?.path ?? empty.path
        groups = shared.map(\.0)
        // Without bubblewrap the temporary directory is on the disk: programs that store nothing may not
        // write there.
        let writesTemporary = isInMemory || program.point.keepsFiles
        let changed = groups.filter(\.writable).map(\.path) + (container.map { [$0.path] } ?? [])
        writable = changed + (writesTemporary ? [temporary.path] : [])
        readable = groups.filter { !$0.writable }.map(\.path) + (container == nil ? [empty.path] : [])
    }

    private static func journal(
        _ program: ExtensionRecord, _ purpose: HostedPurpose, _ files: HostFiles
    ) throws(ServiceError) -> Int32? {
        switch purpose {
        case .serving: return program.point == .monitor ? try files.journal(program.id) : nil
        // Always, because at installation it may turn out to be a monitor, which needs one.
        case .trial, .proof: break
        }
        // MFD_CLOEXEC and MFD_ALLOW_SEALING; then F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK and
        // F_SEAL_GROW, which the headers declare only with _GNU_SOURCE.
        let descriptor = memfd_create("journal", 1 | 2)
        guard descriptor >= 0, ftruncate(descriptor, off_t(Wire.journalBytes)) == 0,
            fcntl(descriptor, 1_033, 1 | 2 | 4) == 0
        else {
            let error = FileError("making", "a journal in memory")
            if descriptor >= 0 { close(descriptor) }
            throw ServiceError(error)
        }
        return descriptor
    }

    /// The process starts now: earlier changes of its files are not its own.
    func begins() throws(ServiceError) {
        began = try stored { () throws(FileError) in
            let directory = try Directory(path: temporary)
            // Sets its times to the present, by the clock that its files will have.
            guard futimens(directory.descriptor, nil) == 0 else { throw FileError("touching", temporary) }
            return try directory.status().st_ctim
        }
    }

    // MARK: how much there is

    /// Its files in memory; nil if it has none.
    var memoryFiles: MemoryFiles? { isInMemory ? MemoryFiles(path: temporary) : nil }

    /// Counts its files now, on any thread, because the program determines how long it takes.
    /// - Parameter pid: process id of the program, which may have unlinked files open.
    func counting(_ pid: Int32) -> @Sendable () -> FileCount {
        { [places, memoryFiles, journalBytes] in
            let nameless = NamelessFiles(in: places).held(by: pid)
            var all = FileCount(
                excess: KernelMemory.excess(pid, mappings: nameless.mappings),
                roomBytes: HostingLimits.fileBytesMax)
            for (index, place) in places.enumerated() where all.excess == nil {
                let hidden = TreeSize(bytes: index == 0 ? nameless.bytes + journalBytes : 0)
                let count = place.count(hidden)
                all.excess = count.excess
                all.roomBytes = index == 0 ? count.roomBytes : min(all.roomBytes, count.roomBytes)
            }
            if all.excess == nil, let used = memoryFiles?.used(by: pid) {
                all.excess = MeasuredPlace.excess(
                    used, MeasuredPlace.temporary, "its temporary directory")
            }
            return all
        }
    }

    private var journalBytes: Int64 {
        var status = stat()
        guard let journal, fstat(journal, &status) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    // MARK: the end

    /// Cleans up after the exit was seen. If its container is over the limit, what the process wrote is
    /// deleted.
    func end() async throws(ServiceError) {
        guard isOpen else { return }
        isOpen = false
        if let journal { close(journal) }
        let (files, number, since) = (self.files, self.number, began)
        let container = container == nil ? nil : places.first
        self.container = nil
        places = []
        bundle = nil
        try await EventLoop.main.inBackground { () throws(ServiceError) in
            let taken = Result { () throws(ServiceError) in
                if let container, container.excess() != nil {
                    try files.revertWrites(container.place, since: since)
                }
            }
            try files.remove(temporary: number)
            try taken.get()
        }
    }
}
