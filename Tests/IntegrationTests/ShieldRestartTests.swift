import Contract
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// shield-service killed at scripted places.
@Suite struct ShieldRestartTests {
    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKilledWriteIsDoneOnce(point: String) async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            _ = try await ShieldServiceTests.write(world, "one", [("shield.applications", ["a"])])
            try world.arm(point, of: .shield)
            let write = Task { @LoopActor in
                try await ShieldServiceTests.write(world, "two", [("shield.applications", ["a", "b"])])
            }
            let status = try await world.process("shield-service").exit()
            #expect(status == 137)
            try await world.start("shield-service")
            let written = try await write.value
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["a", "b"])
            #expect(shields[0].reasons.map(\.store) == ["one", "two"])
            _ = try await recorder.first(ShieldApplied.self) { $0.shield.subject == "b" }
            #expect(
                recorder.types == [
                    "settings.changed", "shield.applied", "settings.changed", "shield.applied",
                    "shield.applied",
                ])
            #expect(written.sequence == 5)
        }
    }

    @Test func shieldsAndAgesSurvive() async throws {
        try await World.with(["shield-service"]) { world in
            _ = try await ShieldServiceTests.write(world, "one", [("shield.applications", ["a"])])
            _ = try await ShieldServiceTests.write(world, "two", [("shield.applications", ["a"])])
            _ = try await ShieldServiceTests.write(world, "one", [], clearAll: true)
            let before = try await world.call(ShieldList.self, ShieldList.Params())
            try await world.process("shield-service").destroy()
            try await world.start("shield-service")
            let after = try await world.call(ShieldList.self, ShieldList.Params())
            #expect(before == after)
        }
    }
}
