import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// What apps and extensions keep in files of their own is named with every forgetting; of everything, that of
/// the apps of the system goes.
@Suite struct ForgetKeptTests {
    private static let own = "groups/group.org.screentime.encouragement"
    private static let ownContainer = "containers/org.screentime.encouragement.monitor"
    private static let foreign = "groups/group.org.example.it's mine"
    private static let ownOfApp = "apps/org.example.app"

    @LoopActor private static func keep(_ world: World, _ place: String) throws {
        let folder = "\(world.directory)/state/\(place)/Library/Preferences"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "stop zzsecret please".write(
            toFile: folder + "/kept.plist", atomically: true, encoding: .utf8)
    }

    @Test func whatAppsKeepIsNamedAndThatOfTheSystemGoesWithEverything() async throws {
        try await World.with { world in
            let bundle = try await FixtureBundle(world)
            let container = "containers/\(bundle.id)"
            for place in [Self.own, Self.ownContainer, Self.foreign, Self.ownOfApp, container] {
                try Self.keep(world, place)
            }
            mkdir("\(world.directory)/state/groups/group.org.example.empty", 0o700)
            func named(_ outcome: Outcome) -> Set<String> {
                let before = "    to remove what it keeps: rm -r -- "
                let lines = outcome.lines.filter { $0.hasPrefix(before) }
                return Set(lines.map { String($0.dropFirst(before.count)) })
            }
            let state = world.directory + "/state"
            func path(_ place: String) -> String { "\(state)/\(place)" }
            let theirs: Set = [
                path(container), path(Self.ownOfApp), "'\(path("groups/group.org.example.it"))'\\''s mine'",
            ]
            let app = try await world.command("forget", "--app", "org.example.Game", "--yes")
            #expect(named(app) == theirs.union([path(Self.own), path(Self.ownContainer)]), "\(app)")
            #expect(try world.files(with: ["zzsecret"]).count == 5)

            let dry = try await world.command("forget", "--everything", "--dry-run")
            #expect(dry.output.contains("files of apps of the system"), "\(dry)")
            #expect(try world.files(with: ["zzsecret"]).count == 5)

            let everything = try await world.command("forget", "--everything", "--yes")
            #expect(everything.status == 0 && named(everything) == theirs, "\(everything)")
            #expect(everything.output.contains("files of apps of the system"))
            let left = try world.files(with: ["zzsecret"])
            #expect(left.count == 3 && left.allSatisfy { $0.contains("org.example") }, "\(left)")

            // The printed commands have the described effect.
            for word in theirs {
                let removed = try await world.run("rm", ["/bin/sh", "-c", "rm -r -- \(word)"])
                #expect(removed.status == 0)
            }
            let none = try await world.command("forget", "--everything", "--yes")
            #expect(!none.output.contains("Apps keep files"), "\(none)")
            #expect(try world.files(with: ["zzsecret"]) == [])
        }
    }

    @Test func theHelpSaysSo() async throws {
        try await World.with([]) { world in
            let help = try await world.command("forget", "--help")
            let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("containers and app groups"), "\(help)")
        }
    }
}
