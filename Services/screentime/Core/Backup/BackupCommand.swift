import Bus
import Contract
import Foundation
import Glibc
import ServiceKit

extension Screentime {
    static let backupCommand = Command(
        "backup", ["DIRECTORY"],
        summary: "Copies the stores of all services into a new directory, while they run.",
        details: """
            All services hold their commits for a moment while each takes a snapshot, so that the copies fit
            together. Then the copies are written (mode 0600) and checked. A directory without backup.json is
            no backup.

            The files of extensions, their containers and logs are not part of it. `screentime forget` names
            the backups that still hold what was forgotten.
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
@BusActor private final class BackupRun {
    private let session: Session
    private let directory: String
    private let key = "backup-\(UInt64.random(in: 0 ... .max))"
    private static let copyDeadlineMs: Int64 = 600_000

    init(_ session: Session, _ directory: String) {
        self.session = session
        self.directory = directory
    }

    func perform() async throws {
        for service in ServiceName.allCases { try await session.makeSureItAnswers(service) }
        try makeDirectory()
        let madeMs = WallTime.nowMs
        // Noted first: a backup that broke off holds personal data, too.
        try BackupRegistry(stateDirectory: session.configuration.stateDirectory)
            .add(KnownCopy(path: directory, madeMs: madeMs))
        let held = try await hold()
        var parts: [BackupPart] = []
        for (service, snapshot) in held {
            let copy = try await session.client(service).call(
                BackupCopy.self,
                BackupCopy.Params(id: key, path: BackupManifest.path(service, in: directory)),
                options: CallOptions(deadlineMs: Self.copyDeadlineMs))
            parts.append(
                BackupPart(
                    service: service.rawValue, epoch: snapshot.epoch, head: snapshot.head, bytes: copy.bytes,
                    sum: copy.sum))
        }
        try writeManifest(BackupManifest(madeMs: madeMs, parts: parts))
        _ = try BackupManifest.verified(in: directory)
    }

    private func hold() async throws -> [(ServiceName, BackupHold.Result)] {
        var held: [(ServiceName, BackupHold.Result)] = []
        do {
            for service in ServiceName.allCases {
                let result = try await session.client(service).call(
                    BackupHold.self, BackupKey(id: key), options: CallOptions(deadlineMs: 4_000))
                held.append((service, result))
            }
            return held
        } catch {
            for (service, _) in held {
                // What cannot be told that the backup is given up lets go after five seconds by itself.
                _ = try? await session.client(service).call(BackupCopy.self, BackupCopy.Params(id: key))
            }
            throw error
        }
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
                remedy: "Name a directory that is not there yet.")
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
                remedy: "Check the disk, remove the directory, and try again.")
        }
    }
}
