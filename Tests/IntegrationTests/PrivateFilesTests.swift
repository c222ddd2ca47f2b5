import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Directories and files that somebody else created or can change: refused with a message before anything is
/// read from them, and never waited for.
@Suite struct PrivateFilesTests {
    private static let executables = World.allServices

    /// Starts every service, and expects each to end with `code` and a sentence that has `words`.
    @LoopActor private static func expectRefusal(
        _ world: World, code: Int32, _ words: String, services: [String] = executables
    ) async throws {
        for (index, service) in services.enumerated() {
            let name = "\(service)-\(index)"
            let (status, lines) = try await world.run(
                name, ["\(World.products)/\(service)"], deadline: 20_000)
            #expect(status == code && lines.isEmpty, "\(service): \(status) \(lines)")
            let said = world.errors(of: name)
            #expect(said.contains(words), "\(service) said: \(said)")
        }
    }

    private static func make(_ path: String, mode: Int) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try setMode(path, mode)
    }

    private static func setMode(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [0o777, 0o1777, 0o770, 0o707, 0o733, 0o702])
    func aStateDirectoryThatIsOpenToOthersIsRefused(mode: Int) async throws {
        try await World.with([]) { world in
            try Self.make(world.directory + "/state", mode: mode)
            try await Self.expectRefusal(world, code: 77, "is open to other users")
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.directory + "/state").isEmpty)
        }
    }

    @Test(arguments: ["state", "run", "state/logs", "state/auth-service"])
    func aDirectoryOfAnotherUserIsRefused(name: String) async throws {
        // Only root can give a directory to another user.
        guard getuid() == 0 else { return }
        try await World.with([]) { world in
            try Self.make(world.directory + "/state", mode: 0o700)
            try Self.make(world.directory + "/" + name, mode: 0o700)
            #expect(chown(world.directory + "/" + name, 65_534, 65_534) == 0)
            try await Self.expectRefusal(
                world, code: 77, "belongs to uid 65534, not to 0", services: ["auth-service"])
        }
    }

    @Test func logsAreClosedToOthersAndFollowNoLink() async throws {
        try await World.with([]) { world in
            let logs = world.directory + "/state/logs"
            try Self.make(world.directory + "/state", mode: 0o700)
            try Self.make(logs, mode: 0o755)
            let target = world.directory + "/target"
            try "untouched".write(toFile: target, atomically: false, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: logs + "/auth-service.log", withDestinationPath: target)
            try await Self.expectRefusal(
                world, code: 73, "is a symbolic link or not a regular file", services: ["auth-service"])
            #expect(world.readText(target) == "untouched")
            try FileManager.default.removeItem(atPath: logs + "/auth-service.log")
            try "".write(toFile: logs + "/auth-service.log", atomically: false, encoding: .utf8)
            try Self.setMode(logs + "/auth-service.log", 0o666)
            try await world.start("auth-service")
            #expect(try Self.mode(logs + "/auth-service.log") == 0o600)
        }
    }

    /// What may be in the place of a file or a socket.
    enum Obstacle: String, CaseIterable { case fifo, directory, link, socket }

    private static func put(_ obstacle: Obstacle, at path: String) throws {
        switch obstacle {
        case .fifo: #expect(mkfifo(path, 0o600) == 0)
        case .directory: try make(path, mode: 0o700)
        case .link:
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case .socket:
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(result == 0)
            close(descriptor)
        }
    }

    @Test(
        arguments: [
            "run/auth-service.requests", "run/auth-service.events", "run/auth-service.lock",
            "state/logs/auth-service.log", "state/auth-service/auth-service.sqlite3",
            "state/auth-service/auth-service.sqlite3-wal", "state/auth-service/auth-service.sqlite3-shm",
            "state/auth-service/auth-service.sqlite3.lock", "state/clock",
        ], Obstacle.allCases)
    func whatStandsWhereAFileBelongsIsNamed(path: String, obstacle: Obstacle) async throws {
        // A socket that a killed service left is bound again.
        guard obstacle != .socket || !(path.hasSuffix(".requests") || path.hasSuffix(".events")) else {
            return
        }
        try await World.with([]) { world in
            for folder in ["run", "state", "state/logs", "state/auth-service"] {
                try Self.make("\(world.directory)/\(folder)", mode: 0o700)
            }
            let whole = "\(world.directory)/\(path)"
            try Self.put(obstacle, at: whole)
            try await Self.expectRefusal(world, code: 73, whole, services: ["auth-service"])
        }
    }

    @Test(arguments: [0, 1, 7, 8, 12, 20, 31, 32, 40, 47])
    func aClockPageThatIsTooShortIsNamed(bytes: Int) async throws {
        try await World.with([], clock: "2026-03-29T00:30:00Z") { world in
            #expect(truncate(world.directory + "/state/clock", off_t(bytes)) == 0)
            try await Self.expectRefusal(
                world, code: 73, "is not a clock page", services: ["auth-service", "report-service"])
        }
    }

    @Test(arguments: [0, 8, 16, 28, 31, 47])
    func aClockPageThatIsCutWhileServicesLiveByItEndsThemWithASentence(bytes: Int) async throws {
        try await World.with(["auth-service", "activity-center"], clock: "2026-03-29T00:30:00Z") { world in
            #expect(truncate(world.directory + "/state/clock", off_t(bytes)) == 0)
            for service in [ServiceName.auth, .activity] {
                // It reads the clock for the request's span.
                let process = try world.process(service.rawValue)
                let asked = Task { @LoopActor in try await world.health(service, deadline: 2_000) }
                let status = try await process.exit()
                #expect(status == 73)
                #expect(world.errors(of: service.rawValue).contains("the clock page was truncated"))
                // Nobody answers it any more.
                _ = try? await asked.value
            }
            // The driver of this test lives by the page as well.
            #expect(truncate(world.directory + "/state/clock", off_t(48)) == 0)
        }
    }
}
