import Bus
import CommandKit
import Contract
import Foundation
import Glibc
import Hosting
import Loop
import ServiceKit
import Time
import Units

extension Screentime {
    static let backupCommand = Command(
        "backup", [.directory("DIRECTORY")],
        summary: "Back up the stores of all services, while they run, into a new directory.",
        details: """
            All services hold their commits briefly while each takes a snapshot, so that the copies are
            consistent. Then the copies are written (mode 0600) and checked. A directory without backup.json
            is not a backup.

            The rules that the built-in apps keep for themselves (downtime, encouragement, streaks, worklog)
            are included. Other contents of app groups, extensions, their containers and logs are not.
            `screentime forget` lists the backups that still contain forgotten data.

            After an interrupted restore no backup is made: the stores may not match.
            """
    ) { invocation in
        let session = try invocation.session()
        let directory = absolute(invocation.arguments[0])
        let run = BackupRun(session, directory)
        try await run.perform()
        Console.print("The backup is in \(directory).")
        return ExitCode.ok
    }

    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

/// One backup: everybody holds, then everybody copies.
@LoopActor private final class BackupRun {
    private typealias Held = [(service: ServiceName, snapshot: BackupHold.Result)]

    private let session: Session
    private let directory: String
    private static let copyDeadline: Milliseconds = 600_000
    /// A service releases its held commits after five seconds, even if the backup was killed.
    private static let waitMax: Milliseconds = 10_000
    private static let waitStep: Milliseconds = 250

    init(_ session: Session, _ directory: String) {
        self.session = session
        self.directory = directory
    }

    func perform() async throws {
        for service in ServiceName.allCases { try await session.makeSureItAnswers(service) }
        // Rules belong to what is registered: no command is between the two when the snapshots are taken.
        let turns = try await AppTurns.take(in: session.configuration.runtime)
        try refuseMixedStores()
        let (key, held) = try await holdWhenFree()
        let made = WallTime.now
        do { try makeDirectory() } catch {
            await letGo(held, key)
            throw error
        }
        do {
            do {
                // Noted before the first copy: a backup that broke off holds personal data, too.
                try BackupRegistry(stateDirectory: session.configuration.stateDirectory)
                    .add(KnownCopy(path: directory, made: made))
            } catch {
                await letGo(held, key)
                throw error
            }
            let state = session.configuration.stateDirectory
            let rules = Task { [directory] in
                let copied = await EventLoop.main.onOwnThread {
                    Result { try BackupGroup.copyAll(from: state, to: directory) }
                }
                // Stores may take minutes; commands do not wait for them.
                turns.end()
                return try copied.get()
            }
            let stores = await Task { try await copy(held, key) }.result
            let groups = await rules.result
            try writeManifest(
                BackupManifest(made: made, parts: try stores.get(), groups: try groups.get()))
            _ = try BackupManifest.verified(in: directory)
        } catch {
            throw withoutRemains(error)
        }
    }

    /// No restore runs now: it would have the turns.
    private func refuseMixedStores() throws(CommandError) {
        let state = session.configuration.stateDirectory
        guard let backup = UnfinishedRestore(stateDirectory: state).backup else { return }
        throw CommandError(
            ExitCode.refused,
            "a restore of '\(backup)' was interrupted: stores and the rules of apps may be of different times",
            remedy: "Stop all services and say `screentime restore \(VisibleText.shellWord(backup))`; then "
                + "make the backup.")
    }

    /// Holds all services; one that is held by another backup is waited for.
    private func holdWhenFree() async throws -> (key: String, Held) {
        let end = MonotonicClock.now + Self.waitMax
        var isSaid = false
        while true {
            // Its own key each time: a snapshot of an earlier attempt fits none of this one.
            let key = "backup-\(UInt64.random(in: 0 ... .max))"
            do throws(ServiceError) { return (key, try await hold(key)) } catch {
                guard error.name == .conflict, MonotonicClock.now < end else { throw error }
                if !isSaid { Console.note("\(error.message); waiting") }
                isSaid = true
            }
            try await Task.sleep(for: .milliseconds(Self.waitStep.count))
        }
    }

    private func hold(_ key: String) async throws(ServiceError) -> Held {
        var held: Held = []
        do throws(ServiceError) {
            for service in ServiceName.allCases {
                let result = try await session.client(service).call(
                    BackupHold.self, BackupKey(id: key), options: CallOptions(deadline: 4_000))
                held.append((service, result))
            }
            return held
        } catch {
            await letGo(held, key)
            throw error
        }
    }

    private func letGo(_ held: Held, _ key: String) async {
        for (service, _) in held {
            // A service that cannot be informed releases its commits after five seconds.
            _ = try? await session.client(service).call(BackupCopy.self, BackupCopy.Params(id: key))
        }
    }

    /// All at once: a service whose copy begins only after another's has ended would have held too long.
    private func copy(_ held: Held, _ key: String) async throws -> [BackupPart] {
        let copies = held.map { service, snapshot in
            Task { @LoopActor in try await copy(service, snapshot, key) }
        }
        var results: [Result<BackupPart, any Error>] = []
        for copy in copies { results.append(await copy.result) }
        return try results.map { try $0.get() }
    }

    private func copy(
        _ service: ServiceName, _ snapshot: BackupHold.Result, _ key: String
    ) async throws -> BackupPart {
        let copy = try await session.client(service).call(
            BackupCopy.self,
            BackupCopy.Params(id: key, path: BackupManifest.path(service, in: directory)),
            options: CallOptions(deadline: Self.copyDeadline))
        return BackupPart(
            service: service.rawValue, epoch: snapshot.epoch, head: snapshot.head, bytes: copy.bytes,
            sum: copy.sum)
    }

    /// Removes what this backup has made; what stays is named, because it holds personal data.
    private func withoutRemains(_ error: any Error) -> CommandError {
        var error = CommandError(anything: error)
        let files = ServiceName.allCases.map { BackupManifest.path($0, in: directory) }
        for path in files + ["\(directory)/\(BackupManifest.fileName)"] {
            // What cannot be removed keeps the directory, which is noticed below.
            _ = unlink(path)
        }
        // The same.
        try? FileManager.default.removeItem(atPath: BackupGroup.folder(in: directory))
        if rmdir(directory) != 0 {
            error = CommandError(
                error.code, error.message,
                remedy: "\(error.remedy) Remove what is left in '\(directory)', which is no backup.")
        }
        return error
    }

    private func makeDirectory() throws(CommandError) {
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                ExitCode.refused, "making '\(parent)' failed: \(error.localizedDescription)",
                remedy: "Choose another directory.")
        }
        guard mkdir(directory, 0o700) == 0 else {
            throw CommandError(
                ExitCode.refused, "making '\(directory)' failed: \(String(cString: strerror(errno)))",
                remedy: "Name a directory that does not exist yet.")
        }
    }

    private func writeManifest(_ manifest: BackupManifest) throws(CommandError) {
        let path = "\(directory)/\(BackupManifest.fileName)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let bytes = manifest.encoded() + [0x0A]
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0
        else {
            throw CommandError(
                ExitCode.temporary, "writing '\(path)' failed: \(String(cString: strerror(errno)))",
                remedy: "Check the disk, and try again.")
        }
    }
}
