import Bus
import CommandKit
import Contract
import CPosix
import FileAccess
import Foundation
import Glibc
import Hosting
import Loop
import ServiceKit
import Store
import Time
import Units

extension Screentime {
    static let restoreCommand = Command(
        "restore", [.directory("DIRECTORY")],
        summary: "Restore a backup; no service may run.",
        details: """
            The backup is checked first: every page, and that the stores match. The present stores are kept
            in the state directory under replaced-TIME; remove them when you no longer need them. If the
            restore is interrupted, run the same command again to complete it; until then `screentime
            status` reports it.

            The rules that the built-in apps keep for themselves are restored with the stores. Extensions
            are not: one of another version, or one that no longer exists, must be installed again;
            `screentime status` lists them.
            """
    ) { invocation in
        let configuration = try invocation.session().configuration
        let directory = absolute(invocation.arguments[0])
        let manifest = try BackupManifest.verified(in: directory)
        let turns = try await AppTurns.take(in: configuration.runtime)
        defer { turns.end() }
        let aside = try RestoreRun(configuration, directory, manifest).perform()
        Console.print("The stores are as they were at \(LocalTime.text(manifest.made)).")
        if manifest.groups == nil {
            let apps = try InstalledApps.all().filter(\.keepsRules).map(\.name)
            Console.print(
                "The backup is of an older version and has no rules of "
                    + apps.joined(separator: ", ")
                    + ": these are as they were before the restore.")
        }
        Console.print(
            (aside.map { "What was there before is in \($0)." } ?? "Nothing was there before.")
                + " Start the services now.")
        Console.print(
            "Extensions that were removed or reinstalled since the backup must be installed again: "
                + "`screentime status` names them then.")
        return ExitCode.ok
    }
}

/// Holds a service's place in the runtime directory, so that it cannot start meanwhile.
private final class HeldPlace {
    private let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
}

/// One restore: all copies are staged in a new directory, then the directory of each service trades places
/// with its copy, in one step: there is no instant at which a service has no store. All that a service keeps
/// goes aside with its store, because it speaks of that store. Then the groups of apps of the system do.
@LoopActor private struct RestoreRun {
    private let configuration: Configuration
    private let directory: String
    private let manifest: BackupManifest
    private var stateDirectory: String { configuration.stateDirectory }
    private var unfinished: UnfinishedRestore { UnfinishedRestore(stateDirectory: stateDirectory) }

    init(_ configuration: Configuration, _ directory: String, _ manifest: BackupManifest) {
        self.configuration = configuration
        self.directory = directory
        self.manifest = manifest
    }

    /// - Returns: where that is what was there; nil: nothing was.
    /// - Throws: ``CommandError``; everything is then as it was, but for what the error names.
    func perform() throws -> String? {
        for service in ServiceName.allCases { try configuration.prepareDirectories(of: service) }
        let places = try holdPlaces()
        defer { withExtendedLifetime(places) {} }
        try checkRoom()
        let now = WallTime.now
        let unfinishedBefore = unfinished.backup
        let aside = try makeAside(now)
        var replaced: [String] = []
        let groups: [String]
        do {
            // Noted before the first copy: a restore that broke off holds personal data, too.
            let registry = BackupRegistry(stateDirectory: stateDirectory)
            try registry.add(KnownCopy(path: directory, made: manifest.made))
            try registry.add(KnownCopy(path: aside, made: now))
            try ReplacedCopies(configuration).note(in: aside)
            for service in ServiceName.allCases { try stage(service, in: aside) }
            groups = try stageGroups(in: aside)
            try unfinished.begin(directory)
            try sync(stateDirectory)
            for service in ServiceName.allCases {
                try exchange(service.rawValue, with: aside)
                replaced.append(service.rawValue)
                FaultPoint.restoreReplaced.reach(configuration.faultDirectory, service)
            }
            for group in groups {
                try makePlace(group)
                try exchange(group, with: aside)
                replaced.append(group)
            }
        } catch {
            throw undone(error, replaced, aside, unfinishedBefore)
        }
        // Without groups in the backup, those that an earlier restore left are as they were.
        if manifest.groups == nil, let unfinishedBefore {
            try unfinished.begin(unfinishedBefore)
        } else {
            unfinished.end()
        }
        // Directories that have nothing in them go, and no others.
        for place in replaced { rmdir("\(aside)/\(place)") }
        rmdir(BackupGroup.folder(in: aside))
        // Copies are only needed for existing stores.
        if access("\(aside)/\(ServiceName.monitor.rawValue)", F_OK) != 0 {
            unlink(ReplacedCopies.list(in: aside))
        }
        return rmdir(aside) == 0 ? nil : aside
    }

    // MARK: before

    private func holdPlaces() throws -> [HeldPlace] {
        var places: [HeldPlace] = []
        for service in ServiceName.allCases {
            do throws(ServiceError) {
                places.append(HeldPlace(try configuration.runtime.lock(service)))
            } catch {
                throw running(service)
            }
            let lock = BackupManifest.path(service, in: place(service)) + ".lock"
            guard LockTable.holder(of: lock) == nil else { throw running(service) }
        }
        return places
    }

    private func running(_ service: ServiceName) -> CommandError {
        CommandError(
            ExitCode.refused, "\(service.rawValue) runs", remedy: "Stop all services, then restore again.")
    }

    private func checkRoom() throws(CommandError) {
        var space = statvfs()
        guard statvfs(stateDirectory, &space) == 0 else { throw failed("looking at", stateDirectory) }
        let freeBytes = Int64(clamping: space.f_bavail) * Int64(clamping: space.f_frsize)
        let bytes =
            manifest.parts.reduce(0) { $0 + $1.bytes } + (manifest.groups ?? []).reduce(0) { $0 + $1.bytes }
        guard bytes <= freeBytes else {
            throw CommandError(
                ExitCode.temporary,
                "the stores need \(bytes >> 10) KiB beside those that are there, and \(freeBytes >> 10) KiB are "
                    + "free in '\(stateDirectory)'",
                remedy: "Free some space, then run the same command again. Nothing was changed.")
        }
    }

    /// A new directory, also if the clock does not advance.
    private func makeAside(_ now: Instant) throws(CommandError) -> String {
        let name = "\(stateDirectory)/replaced-\(UTCTime.text(now))"
        var path = name
        var number = 1
        while mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw failed("making", path) }
            number += 1
            path = "\(name)-\(number)"
        }
        return path
    }

    // MARK: doing it

    /// Where a service keeps what is its own.
    private func place(_ service: ServiceName) -> String { "\(stateDirectory)/\(service.rawValue)" }

    private func stage(_ service: ServiceName, in aside: String) throws(CommandError) {
        let staged = "\(aside)/\(service.rawValue)"
        guard mkdir(staged, 0o700) == 0 else { throw failed("making", staged) }
        let target = BackupManifest.path(service, in: staged)
        try copy(BackupManifest.path(service, in: directory), to: target)
        let copy: StoredCopy
        do throws(StoreError) { copy = try StoredCopy(path: target) } catch {
            throw CommandError(ServiceError(error))
        }
        guard
            manifest.parts.contains(where: {
                $0.service == service.rawValue && $0.sum == String(copy.sum, radix: 16)
            })
        else { throw BackupManifest.wrong(directory, "\(target) is not what was copied") }
        try sync(staged)
        FaultPoint.restoreCopied.reach(configuration.faultDirectory, service)
    }

    /// Each group that is there or in the backup gets its copy; one that the backup has not was empty then.
    /// - Returns: where they are below the state directory. None: the backup was made without groups.
    private func stageGroups(in aside: String) throws -> [String] {
        guard let groups = manifest.groups else { return [] }
        let staged = BackupGroup.folder(in: aside)
        guard mkdir(staged, 0o700) == 0 else { throw failed("making", staged) }
        for group in groups { try group.stage(from: directory, in: staged) }
        let names = groups.map(\.name)
        let present = try GroupCopy.ofSystem(in: BackupGroup.folder(in: stateDirectory))
        for name in present where !names.contains(name) {
            guard mkdir("\(staged)/\(name)", 0o700) == 0 else { throw failed("making", "\(staged)/\(name)") }
        }
        try sync(staged)
        return Set(names + present).sorted().map { "groups/\($0)" }
    }

    /// What is to trade places has one.
    private func makePlace(_ group: String) throws(CommandError) {
        for path in [BackupGroup.folder(in: stateDirectory), "\(stateDirectory)/\(group)"] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failed("making", path) }
        }
    }

    /// Copies a file into a new one, mode 0600, and waits until it is on the disk.
    private func copy(_ path: String, to target: String) throws(CommandError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failed("reading", path) }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw failed("making", target) }
        defer { close(copy) }
        while true {
            let count = sendfile(copy, source, nil, 1 << 30)
            guard count >= 0 else { throw failed("copying '\(path)' to", target) }
            if count == 0 { break }
        }
        guard fsync(copy) == 0 else { throw failed("syncing", target) }
    }

    /// - Parameter place: below both directories.
    private func exchange(_ place: String, with aside: String) throws(CommandError) {
        let present = "\(stateDirectory)/\(place)"
        let exchange: UInt32 = 2  // RENAME_EXCHANGE of linux/fs.h
        guard renameat2(AT_FDCWD, present, AT_FDCWD, "\(aside)/\(place)", exchange) == 0 else {
            var error = failed("replacing", present)
            error.remedy =
                "It must be a plain directory in a file system that can exchange two (renameat2). \(error.remedy)"
            throw error
        }
        try sync(parent(of: present))
        try sync(parent(of: "\(aside)/\(place)"))
    }

    private func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Puts back what was there, and removes what was staged; what cannot be is named.
    /// - Parameter unfinishedBefore: the backup of an earlier restore that broke off, which still has.
    private func undone(
        _ error: any Error, _ replaced: [String], _ aside: String, _ unfinishedBefore: String?
    ) -> CommandError {
        var told = CommandError(anything: error)
        do {
            for place in replaced.reversed() { try exchange(place, with: aside) }
            if let unfinishedBefore { try unfinished.begin(unfinishedBefore) } else { unfinished.end() }
            try FileManager.default.removeItem(atPath: aside)
        } catch {
            told.remedy += " Stores are left in '\(aside)'; look at them before you remove it."
        }
        return told
    }

    private func sync(_ path: String) throws(CommandError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw failed("syncing", path) }
    }

    private func failed(_ what: String, _ path: String) -> CommandError {
        CommandError(
            ExitCode.temporary, "\(what) '\(path)' failed: \(String(cString: strerror(errno)))",
            remedy: "Check the disk and the permissions, then run the same command again.")
    }
}
