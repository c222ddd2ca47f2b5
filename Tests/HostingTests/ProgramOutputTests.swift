import Foundation
import Glibc
import Loop
import Testing

@testable import Hosting

/// The log of a program is private, whoever created it, and stays in its place.
@Suite struct ProgramOutputTests {
    @LoopActor private func print(_ text: String, to path: String) throws {
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
    @LoopActor func itsModeIsPrivate(before: mode_t?) throws {
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
    @LoopActor func noLinkIsFollowed(target: String) throws {
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

    // MARK: others have their turn

    private static func entries(_ path: String) -> [String] {
        // Before the first line there is no file.
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Short lines cost more than their bytes.
    @Test @LoopActor func aTurnTakesFewLines() async throws {
        let place = try Place()
        defer { place.remove() }
        let path = place.directory + "/program.log"
        let ends = try #require(Self.pipe())
        let output = ProgramOutput(ends.reading, path: path, id: "org.example.app.monitor")
        let text = String(repeating: "a\n\n", count: 2_000)
        #expect(write(ends.writing, text, text.utf8.count) == text.utf8.count)
        var counts = [0]
        func look(_ done: CheckedContinuation<Void, Never>) {
            counts.append(Self.entries(path).count)
            guard counts.last != 2_000 else { return done.resume() }
            EventLoop.main.inNextTurn { look(done) }
        }
        await withCheckedContinuation { look($0) }
        let steps = zip(counts, counts.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 <= 256 }, "\(steps)")
        close(ends.writing)
        output.finish()
        #expect(Self.entries(path).count == 2_000)
    }

    /// The last lines of a program say why it ended.
    @Test @LoopActor func whatIsLeftAtTheEndIsBounded() throws {
        let place = try Place()
        defer { place.remove() }
        let path = place.directory + "/program.log"
        let most = HostingLimits.outputLinesAtEndMax
        try print(String(repeating: "a\n", count: most + 500) + "last words", to: path)
        let entries = Self.entries(path)
        #expect(entries.count == most + 1)
        #expect(entries.first?.contains("501 lines before the last ones are left out") == true)
        #expect(entries.last?.contains("last words") == true)
    }

    /// A directory with the name of the rotated log stays, and the log stays short.
    @Test @LoopActor func aDirectoryInTheWayOfAFullLogCostsLines() throws {
        let place = try Place()
        defer { place.remove() }
        let path = place.directory + "/program.log"
        #expect(mkdir(path + ".1", 0o700) == 0)
        let full = String(repeating: "x", count: Int(HostingLimits.logBytesMax) + 1)
        try full.write(toFile: path, atomically: false, encoding: .utf8)
        try print("over\n", to: path)
        try print("after\n", to: path)
        let left = try String(contentsOfFile: path, encoding: .utf8)
        #expect(left.count < 1_000 && left.contains("after"))
    }
}
