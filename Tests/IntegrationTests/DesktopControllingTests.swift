import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// The button that opens the app whose store shields (ShieldActionResponse.openParentalControlsApp), from the
/// key that is pressed on the cover to the program.
@Suite(
    "desktop agent: the app that shields", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopControllingTests {
    private static let client = "org.example.app"
    private static let services = [
        "auth-service", "activity-center", "shield-service", "monitor-runner", "notifier",
    ]

    /// A desktop where the client shields Alpha, and where the primary button asks for the client's app.
    /// - Parameter exec: of the client's desktop entry; nil: it has none.
    private static func pressing(
        exec: @LoopActor (World) throws -> String?, _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        try await World.withDesktop(services, agent: false) { world in
            if let program = try exec(world) {
                try "[Desktop Entry]\nType=Application\nName=Controls\nExec=\(program)\n".write(
                    toFile: "\(world.directory)/data/applications/\(client).desktop", atomically: true,
                    encoding: .utf8)
            }
            try await world.approve(client, try world.record(.auth))
            _ = try await ScreenBundle(
                world, "screen-fixture", .shieldAction, id: client + ".action", client: client,
                says: ["PrimaryButton": "openParentalControlsApp"])
            try await world.start("desktop-agent")
            let (window, _) = try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            _ = try await ShieldServiceTests.write(
                world, "one", [("shield.applications", ["alpha"])], client: client)
            _ = try await DesktopShieldTests.frozen(world)
            _ = try await world.eventually(
                ShieldPress.self, ShieldPress.Params(kind: .app, subject: "alpha", button: .submenu1)
            ) { $0.action.program != nil }
            try await world.eventually("the cover has the focus") {
                try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines != [window]
            }
            try await world.pressCover()
            try await body(world)
            #expect(try await world.covers().map { String($0.window) } == [window], "it stays covered")
        }
    }

    @Test func itsDesktopEntryIsOpenedWithTheShield() async throws {
        try await Self.pressing { world in
            let program = world.directory + "/controls"
            let told = "env | grep ^SCREENTIME_SHIELD_ | sort > '\(world.directory)/told.part'"
            try "#!/bin/sh\n\(told)\nmv '\(world.directory)/told.part' '\(world.directory)/told'\n".write(
                toFile: program, atomically: true, encoding: .utf8)
            chmod(program, 0o755)
            return program
        } _: { world in
            try await world.eventually("the app is opened") {
                !world.readText(world.directory + "/told").isEmpty
            }
            let told = world.readText(world.directory + "/told")
            #expect(told == "SCREENTIME_SHIELD_KIND=app\nSCREENTIME_SHIELD_SUBJECT=alpha\n")
        }
    }

    /// A button without an effect would look broken.
    @Test(arguments: [nil, "/nowhere/controls"]) func whatCannotBeOpenedIsSaid(exec: String?) async throws {
        try await Self.pressing { _ in exec } _: { world in
            let title = "The app that shields cannot be opened"
            let all = try await world.eventually(NotificationList.self, NotificationList.Params()) {
                $0.notifications.contains { $0.title == title }
            }.notifications
            #expect(all.first { $0.title == title }?.body.contains(Self.client) == true)
        }
    }
}
