import Bus
import Contract
import Foundation
import JSON
import TestSupport
import Testing

@testable import CommandCore

/// Names that a terminal would obey, stored wherever something takes them and given to every command: none
/// reaches standard output or standard error.
@Suite(.timeLimit(.minutes(5))) struct HostileNamesTests {
    private static let name = "\u{1B}[31mred\u{202E}evil\u{9B}2J\nsecond \u{7}line"
    private static let client = "org.example.app"

    private static func text(_ bytes: [UInt8]) -> [Unicode.Scalar] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
            $0 != "\n" && $0 != "\t" && VisibleText.isHidden($0)
        }
    }

    /// What is not run: it goes on until it is interrupted, or builds programs.
    private static let leftOut: Set<String> = ["extension new", "extension bundle", "extension check"]

    @Test func noCommandPassesThemOn() async throws {
        try await World.with(environment: ["NO_COLOR": "1"]) { world in
            try await world.approve(Self.client, try world.record(.auth))
            try await Self.fill(world)
            for command in Screentime.commands where !Self.leftOut.contains(command.words) {
                for words in Self.calls(of: command) {
                    // A name may become that of a file where the command runs.
                    let label = "screentime-\(world.processes.count)"
                    let place = ["/usr/bin/env", "-C", world.directory, World.products + "/screentime"]
                    let outcome = try await world.run(label, place + words)
                    let said = outcome.lines.joined(separator: "\n") + world.errors(of: label)
                    #expect(
                        Self.text(Array(said.utf8)).isEmpty, "\(words.map { $0.debugDescription }): \(said)")
                    #expect(outcome.status != ExitCode.bug, "\(words): \(said)")
                }
            }
            #expect(access(Self.name, F_OK) != 0, "a command left a file in the checkout")
        }
    }

    /// Without anything, with hostile arguments, and with a hostile value for each option.
    private static func calls(of command: Command) -> [[String]] {
        let words = command.words.split(separator: " ").map(String.init)
        let arguments = words + command.arguments.filter { !$0.hasPrefix("[") }.map { _ in name }
        let valued = command.options.filter { $0.value != nil }.flatMap { [$0.name, name] }
        var calls = [arguments, words + ["--\(name)"]]
        if arguments != words { calls.append(words) }
        if !valued.isEmpty { calls.append(arguments + valued) }
        if command.options.contains(where: { $0.name == "--json" }) { calls.append(arguments + ["--json"]) }
        return calls
    }

    @BusActor private static func fill(_ world: World) async throws {
        let schedule = Schedule(
            intervalStart: DateComponents(hour: 0), intervalEnd: DateComponents(hour: 23), repeats: true)
        let event = EventDefinition(name: name, threshold: DateComponents(minute: 30))
        _ = try await world.call(
            MonitoringStart.self,
            MonitoringStart.Params(activities: [
                ActivityDefinition(name: name, schedule: schedule, events: [event])
            ]))
        _ = try await world.call(
            NotificationPost.self, NotificationPost.Params(identifier: name, title: name, body: name))
        func shield(_ app: String) -> SettingsWrite.Params {
            SettingsWrite.Params(
                store: name, settings: [Setting(key: "shield.applications", value: .array([.string(app)]))])
        }
        _ = try await world.call(SettingsWrite.self, shield("org.example.Game"))
        await #expect(throws: ServiceError.self) { try await world.call(SettingsWrite.self, shield(name)) }
        // These are ids, too, and refused by the one rule for them.
        await #expect(throws: ServiceError.self) {
            try await world.call(
                CatalogObserve.self,
                CatalogObserve.Params(device: "d", apps: [InstalledApp(app: name, name: "n", categories: [])])
            )
        }
        await #expect(throws: ServiceError.self) {
            try await world.call(
                UsageObserve.self,
                UsageObserve.Params(
                    device: "d", observations: [Observation(atMs: 1, kind: .focus, app: name)]))
        }
    }
}
