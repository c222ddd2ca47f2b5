import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// desktop-agent as a real process: installed apps are reported, and changes follow immediately.
@Suite("desktop agent: apps", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopCatalogTests {
    @LoopActor private static func write(
        _ world: World, _ id: String, _ name: String, _ more: String
    ) throws {
        try "[Desktop Entry]\nType=Application\nName=\(name)\nExec=/usr/bin/env \(id)\n\(more)\n".write(
            toFile: "\(world.directory)/data/applications/\(id).desktop", atomically: true, encoding: .utf8)
    }

    @LoopActor private static func item(_ world: World, _ app: String) async throws -> CatalogItem {
        try await world.call(CatalogResolve.self, CatalogTarget(app: app))
    }

    @Test func whatIsInstalledIsListedAndFollowsAtOnce() async throws {
        try await World.withDesktop(["auth-service", "activity-center"]) { world in
            let events = try world.record(.activity)
            _ = try await events.first(CatalogChanged.self) { $0.subjects.contains { $0.subject == "beta" } }
            let alpha = try await Self.item(world, "alpha")
            #expect(alpha.name == "Alpha" && alpha.category == "games" && alpha.source == .entry)
            #expect(alpha.windowClass == "AlphaApp" && alpha.devices?.count == 1)
            try Self.write(world, "gamma", "Gamma", "Categories=Network;WebBrowser;\nIcon=gamma-icon")
            let came = try await events.first(CatalogChanged.self) {
                $0.subjects.contains { $0.subject == "gamma" }
            }
            #expect(came.subjects.count == 1 && came.subjects.first?.browser == true)
            let gamma = try await Self.item(world, "gamma")
            #expect(gamma.name == "Gamma" && gamma.icon == "gamma-icon" && gamma.category == "utilities")
            // Every change is seen, not only the first.
            try Self.write(world, "gamma", "Gamma Two", "Categories=Development;")
            _ = try await events.first(CatalogChanged.self) {
                $0.subjects.contains { $0.name == "Gamma Two" && $0.category == "developer tools" }
            }
            try FileManager.default.removeItem(
                atPath: "\(world.directory)/data/applications/gamma.desktop")
            try Self.write(world, "delta", "Delta", "Categories=Science;")
            _ = try await events.first(CatalogChanged.self) {
                $0.subjects.contains { $0.subject == "delta" && $0.category == "education" }
            }
            let gone = try await Self.item(world, "gamma")
            #expect(gone.devices == nil && gone.name == "Gamma Two")
            let listed = try await world.command("catalog", "list", "delta")
            #expect(listed.lines.count == 2 && listed.lines[1].contains("education"))
        }
    }

    @Test func theAppInFrontGetsItsNameWhenItsDesktopFileComes() async throws {
        try await World.withDesktop(["activity-center"]) { world in
            let events = try world.record(.activity)
            _ = try await world.openTerminal("Gamma")
            _ = try await events.first(UsageRecorded.self) { $0.openSince != nil }
            try Self.write(world, "gamma", "Gamma", "StartupWMClass=gammaapp\nCategories=Game;")
            let named = try await events.first(UsageRecorded.self) {
                $0.subject == "gamma" && $0.openSince != nil
            }
            #expect(named.category == "games" && named.name == "Gamma")
        }
    }

    @Test func aShieldOfACategoryFollowsThePersonsWord() async throws {
        try await World.withDesktop(["auth-service", "activity-center", "shield-service"]) { world in
            let shields = try world.record(.shield)
            _ = try await world.openTerminal("Beta")
            let rule: JSONValue = .object([
                ("policy", .string("specific")), ("categories", .array([.string("games")])),
            ])
            _ = try await world.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "test", settings: [Setting(key: "shield.applicationCategories", value: rule)]))
            #expect(try await world.command("catalog", "set", "beta", "games").status == 0)
            let frozen = try await shields.first(ShieldFrozeProcesses.self) { !$0.freeze.processes.isEmpty }
            #expect(frozen.freeze.app == "beta")
            #expect(try await world.command("catalog", "unset", "beta").status == 0)
            _ = try await shields.wait(for: "the thaw") {
                try $0.all(ShieldFrozeProcesses.self).last?.freeze.processes.isEmpty == true ? true : nil
            }
        }
    }
}
