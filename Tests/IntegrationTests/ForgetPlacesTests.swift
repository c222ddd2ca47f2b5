import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// What `forget` leaves is named, with a command that removes it when it is pasted.
@Suite struct ForgetPlacesTests {
    @LoopActor private static func paste(_ command: Substring, _ world: World) async throws -> Int32 {
        // What a command that is taken apart makes is made there.
        try await world.run("bash", ["/bin/bash", "-c", "cd '\(world.directory)' && \(command)"]).status
    }

    @Test func theCommandThatRemovesABackupRemovesItAndNothingElse() async throws {
        try await World.with { world in
            let names = [
                "plain", "with space", "it's", "$(touch hit)`touch hit`", "a;b&c|d>e", "*", "~", "nl\nx",
                "esc\u{1B}[31mred\u{202E}", "back\\slash", "ünï", "'\n\\'",
            ]
            let parent = "\(world.directory)/backups"
            // What a command that is taken apart would remove.
            try FileManager.default.createDirectory(
                atPath: parent + "/with", withIntermediateDirectories: true)
            for name in names {
                let made = try await world.command("backup", "\(parent)/\(name)")
                #expect(made.status == 0, "\(name): \(made)")
            }
            let forgotten = try await world.command("forget", "--everything", "--yes")
            let mark = "to remove it: "
            let commands = forgotten.lines.compactMap { line in
                line.range(of: mark).map { line[$0.upperBound...] }
            }
            #expect(commands.count == names.count, "\(forgotten)")
            for (name, command) in zip(names, commands) {
                #expect(try await Self.paste(command, world) == 0, "\(command)")
                #expect(!FileManager.default.fileExists(atPath: "\(parent)/\(name)"), "\(command)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == ["with"])
        }
    }
}
