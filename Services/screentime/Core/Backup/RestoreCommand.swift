import Bus
import Contract
import Foundation
import Glibc
import ServiceKit
import Store

extension Screentime {
    static let restoreCommand = Command(
        "restore", ["DIRECTORY"],
        summary: "Puts a backup in the place of the stores of all services, while none runs.",
        details: """
            The backup is checked first: every page, and that the stores fit together. What was there is kept
            aside in the state directory, under replaced-TIME; remove it when you do not need it any more.
            When it ends before its end, the same command again does the rest.
            """
    ) { invocation in
        let configuration = try invocation.session().configuration
        let directory = absolute(invocation.arguments[0])
        let manifest = try BackupManifest.verified(in: directory)
        let aside = try RestoreRun(configuration, directory, manifest).perform()
        Console.print("The stores are as they were at \(LocalTime.text(manifest.madeMs)).")
        Console.print("What was there before is in \(aside). Start the services now.")
        return ExitCode.ok
    }
}

/// Holds a service's place in the runtime directory, so that it cannot start meanwhile.
private final class HeldPlace {
    private let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
}

/// One restore: all copies are staged beside the stores, then each takes the place of the present one.
@BusActor private struct RestoreRun {
    private let configuration: Configuration
    private let directory: String
    private let manifest: BackupManifest
    private static let suffixes = ["", "-wal", "-shm", "-state", ".lock"]
    private static let staged = ".restoring"

    init(_ configuration: Configuration, _ directory: String, _ manifest: BackupManifest) {
        self.configuration = configuration
        self.directory = directory
        self.manifest = manifest
    }

    /// - Returns: where the stores are that were there.
    func perform() throws -> String {
        let places = try holdPlaces()
        defer { withExtendedLifetime(places) {} }
        for service in ServiceName.allCases { try stage(service) }
        let madeMs = WallTime.nowMs
        let aside = "\(configuration.stateDirectory)/replaced-\(UTCTime.text(madeMs))"
        try makeDirectories(aside, mode: 0o700)
        try BackupRegistry(stateDirectory: configuration.stateDirectory)
            .add(KnownCopy(path: aside, madeMs: madeMs))
        for service in ServiceName.allCases { try replace(service, aside: aside) }
        return aside
    }

    private func holdPlaces() throws -> [HeldPlace] {
        try configuration.runtime.prepare()
        var places: [HeldPlace] = []
        for service in ServiceName.allCases {
            do throws(ServiceError) {
                places.append(HeldPlace(try configuration.runtime.lock(service)))
            } catch {
                throw running(service)
            }
            guard LockTable.holder(of: store(service) + ".lock") == nil else { throw running(service) }
        }
        return places
    }

    private func running(_ service: ServiceName) -> CommandError {
        CommandError(
            ExitCode.refused, "\(service.rawValue) runs", remedy: "Stop all services, then restore again.")
    }

    private func store(_ service: ServiceName) -> String {
        "\(configuration.stateDirectory)/\(service.rawValue)/\(service.rawValue).sqlite3"
    }

    private func stage(_ service: ServiceName) throws {
        let target = store(service) + Self.staged
        try makeDirectories("\(configuration.stateDirectory)/\(service.rawValue)", mode: 0o700)
        guard unlink(target) == 0 || errno == ENOENT else { throw failed("removing", target) }
        try FileManager.default.copyItem(
            atPath: BackupManifest.path(service, in: directory), toPath: target)
        guard chmod(target, 0o600) == 0 else { throw failed("protecting", target) }
        try sync(target)
        let copy = try StoredCopy(path: target)
        guard
            manifest.parts.contains(where: {
                $0.service == service.rawValue && $0.sum == String(copy.sum, radix: 16)
            })
        else { throw BackupManifest.wrong(directory, "\(target) is not what was copied") }
    }

    private func replace(_ service: ServiceName, aside: String) throws {
        let path = store(service)
        let kept = "\(aside)/\(service.rawValue)"
        try makeDirectories(kept, mode: 0o700)
        for suffix in Self.suffixes where access(path + suffix, F_OK) == 0 {
            let target = "\(kept)/\(service.rawValue).sqlite3\(suffix)"
            guard rename(path + suffix, target) == 0 else { throw failed("moving", path + suffix) }
        }
        guard rename(path + Self.staged, path) == 0 else { throw failed("moving", path + Self.staged) }
        try sync(kept)
        try sync("\(configuration.stateDirectory)/\(service.rawValue)")
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
