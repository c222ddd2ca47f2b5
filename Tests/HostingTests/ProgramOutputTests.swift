import Bus
import Foundation
import Glibc
import Testing

@testable import Hosting

/// The log of a program is closed to others, whoever made it, and stays where it belongs.
@Suite struct ProgramOutputTests {
    @BusActor private func print(_ text: String, to path: String) throws {
        let ends = try #require(Self.pipe())
        let output = ProgramOutput(ends.reading, path: path, id: "org.example.app.monitor")
        #expect(write(ends.writing, text, text.utf8.count) == text.utf8.count)
        close(ends.writing)
        output.finish()
    }

    private static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test(arguments: [nil, 0o644, 0o666, 0o660] as [mode_t?])
    @BusActor func itsModeIsPrivate(before: mode_t?) throws {
        let place = try Place()
        defer { place.remove() }
        let path = place.directory + "/program.log"
        if let before {
            try "old\n".write(toFile: path, atomically: false, encoding: .utf8)
            #expect(chmod(path, before) == 0)
        }
        try print("hello\n", to: path)
        #expect(Self.mode(path) == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("hello"))
    }

    @Test(arguments: ["file", "fifo", "nothing"])
    @BusActor func noLinkIsFollowed(target: String) throws {
        let place = try Place()
        defer { place.remove() }
        let (path, aim) = (place.directory + "/program.log", place.directory + "/aim")
        switch target {
        case "file": try "kept".write(toFile: aim, atomically: false, encoding: .utf8)
        case "fifo": mkfifo(aim, 0o600)
        default: break
        }
        symlink(aim, path)
        try print("hello\n", to: path)
        if target == "file" { #expect(try String(contentsOfFile: aim, encoding: .utf8) == "kept") }
        if target == "nothing" { #expect(access(aim, F_OK) != 0) }
    }

    /// A pipe full of lines: whoever else has something to read has a turn before much of it is taken.
    @Test(arguments: ["\n", "a\n"]) @BusActor func aFloodOfLinesIsTakenInTurns(_ line: String) async throws {
        let place = try Place()
        defer { place.remove() }
        let (flood, other) = (try #require(Self.pipe()), try #require(Self.pipe()))
        let text = String(repeating: line, count: 65_536 / line.utf8.count)
        #expect(write(flood.writing, text, 65_536) == 65_536)
        #expect(write(other.writing, "x", 1) == 1)
        let output = ProgramOutput(
            flood.reading, path: place.directory + "/program.log", id: "org.example.app.monitor")
        var token: Reactor.Token?
        let left = await withCheckedContinuation { continuation in
            token = Reactor.shared.watch(descriptor: other.reading) {
                if let token { Reactor.shared.forget(token) }
                continuation.resume(returning: Self.unread(flood.reading))
            }
        }
        #expect(left >= 65_536 - 2 * HostingLimits.outputBytesPerTurnMax)
        for end in [flood.writing, other.reading, other.writing] { close(end) }
        output.finish()
    }

    private static func unread(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
    }

    @Test @BusActor func emptyLinesAreNothing() throws {
        let place = try Place()
        defer { place.remove() }
        let path = place.directory + "/program.log"
        try print(String(repeating: "\n", count: 60_000), to: path)
        #expect(access(path, F_OK) != 0)
    }
}
