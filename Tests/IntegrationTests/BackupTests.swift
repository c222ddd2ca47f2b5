import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// `screentime backup`, `restore` and `doctor --deep`, and what damage does to a service as a process.
@Suite struct BackupTests {
    @LoopActor private static func stopAll(_ world: World) async throws {
        for service in ServiceName.startOrder.reversed() {
            let process = try world.process(service.rawValue)
            process.signal(SIGTERM)
            #expect(try await process.exit() == 0)
        }
    }

    @LoopActor private static func startAll(_ world: World) async throws {
        for service in ServiceName.startOrder { try await world.start(service.rawValue) }
    }

    @LoopActor private static func store(_ world: World, _ service: ServiceName) -> String {
        "\(world.directory)/state/\(service.rawValue)/\(service.rawValue).sqlite3"
    }

    @Test func aBackupMadeWhileEverythingRunsIsRestored() async throws {
        try await World.with { world in
            let changes = ActivityData.phone(3_000, seed: 21)
            var batches = ActivityData.batches(changes, 20...20, seed: 21)[...]
            for number in 0..<20 {
                try await world.observe(
                    batches.removeFirst(), device: "phone", model: "android", key: "before \(number)")
            }
            let directory = "\(world.directory)/backups/first"
            // Observations continue while the backup is made.
            let rest = batches.dropLast()
            let stream = Task { @LoopActor in
                for (number, batch) in rest.prefix(40).enumerated() {
                    try await world.observe(batch, device: "phone", model: "android", key: "during \(number)")
                }
            }
            let made = try await world.command("backup", directory)
            #expect(made.status == 0, "\(made)")
            try await stream.value
            let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            #expect(
                names == (ServiceName.allCases.map { $0.rawValue + ".sqlite3" } + ["backup.json"]).sorted())
            for name in names {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[
                    .posixPermissions]
                #expect(mode as? Int == 0o600, "\(name)")
            }
            // However long that took, the last one is surely no part of it.
            try await world.observe(
                try #require(batches.last), device: "phone", model: "android", key: "after")
            let later = try await world.health(.activity).head

            let refused = try await world.command("restore", directory)
            #expect(refused.status == 1 && refused.errors.contains("runs"), "\(refused)")
            try await Self.stopAll(world)
            let restored = try await world.command("restore", directory)
            #expect(restored.status == 0, "\(restored)")
            try await Self.startAll(world)
            try await world.settle()
            let head = try await world.health(.activity).head
            #expect(head > 0 && head < later)
            // The notifier misses its session bus here, whatever its store holds.
            for service in ServiceName.allCases where service != .notifier {
                let health = try await world.health(service)
                #expect(health.state == .ready, "\(service.rawValue): \(health.degradedBy)")
            }
            let deep = try await world.command("doctor", "--deep")
            #expect(deep.output.contains("cursors: fit"), "\(deep.output)")

            let forgotten = try await world.command("forget", "--everything", "--yes")
            #expect(forgotten.status == 0)
            #expect(forgotten.output.contains(directory) && forgotten.output.contains("/replaced-"))
            try FileManager.default.removeItem(atPath: directory)
            let after = try await world.command("forget", "--everything", "--yes")
            #expect(!after.output.contains(directory))
        }
    }

    @Test func aBackupThatFailsLeavesNothingBehind() async throws {
        try await World.with { world in
            let directory = "\(world.directory)/backup"
            // Where the copy is to be noted there is a directory.
            let registry = "\(world.directory)/state/backups"
            try FileManager.default.createDirectory(atPath: registry, withIntermediateDirectories: false)
            let refused = try await world.command("backup", directory)
            #expect(refused.status != 0)
            #expect(!FileManager.default.fileExists(atPath: directory), "\(refused)")
            try FileManager.default.removeItem(atPath: registry)
            // At once: nothing holds commits any more, and nothing is in the way.
            let made = try await world.command("backup", directory)
            #expect(made.status == 0, "\(made)")
            #expect(!made.errors.contains("waiting"), "\(made)")
        }
    }

    @Test func aBackupWaitsForTheHoldOfOneThatWasKilled() async throws {
        try await World.with { world in
            _ = try await world.client(.notifier).call(BackupHold.self, BackupKey(id: "killed"))
            let made = try await world.command("backup", "\(world.directory)/backup")
            #expect(made.status == 0, "\(made)")
        }
    }

    /// The others have seen what it does not know any more.
    @Test func doctorNamesWhatARestoredOwnerLost() async throws {
        try await World.with { world in
            let state = "\(world.directory)/state/auth-service"
            let older = "\(world.directory)/older"
            let owner = try world.process("auth-service")
            owner.signal(SIGTERM)
            #expect(try await owner.exit() == 0)
            try FileManager.default.copyItem(atPath: state, toPath: older)
            try await world.start("auth-service")
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "late"), idempotencyKey: "late")
            try await world.settle()
            let again = try world.process("auth-service")
            again.signal(SIGTERM)
            #expect(try await again.exit() == 0)
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.moveItem(atPath: older, toPath: state)
            try await world.start("auth-service")
            try await world.settle()
            let doctor = try await world.command("doctor")
            let line = doctor.output.split(separator: "\n").first {
                $0.contains("auth-service lost its data after")
            }
            #expect(doctor.status == 1 && line?.contains("error") == true, "\(doctor)")
        }
    }

    @Test func aDamagedBackupIsRefusedAndNothingChanges() async throws {
        try await World.with { world in
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "kept"), idempotencyKey: "kept")
            let directory = "\(world.directory)/backup"
            #expect(try await world.command("backup", directory).status == 0)
            let again = try await world.command("backup", directory)
            #expect(again.status == 1, "a second backup into the same directory")
            try await Self.stopAll(world)
            let file = "\(directory)/auth-service.sqlite3"
            var bytes = try [UInt8](#require(FileManager.default.contents(atPath: file)))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let store = Self.store(world, .auth)
            let before = FileManager.default.contents(atPath: store)
            let refused = try await world.command("restore", directory)
            #expect(refused.status == 65 && refused.errors.contains("auth-service.sqlite3"), "\(refused)")
            #expect(FileManager.default.contents(atPath: store) == before)
            try await Self.startAll(world)
            #expect(try await world.call(MemberList.self, Nothing()).members.contains { $0.name == "kept" })
        }
    }

    /// After a stop everything is in the main file; after a kill, lost parts of the log are detected.
    @Test func aCutLogStopsTheServiceByName() async throws {
        try await World.with(["activity-center"]) { world in
            let changes = ActivityData.phone(300, seed: 5)
            let head = try await world.observe(changes, device: "phone", model: "android").sequence
            let store = Self.store(world, .activity)
            let process = try world.process("activity-center")
            process.signal(SIGTERM)
            #expect(try await process.exit() == 0)
            #expect(!FileManager.default.fileExists(atPath: store + "-wal"))
            try await world.start("activity-center")
            #expect(try await world.health(.activity).head == head)
            _ = try await world.observe(
                ActivityData.phone(300, seed: 6), device: "tablet", model: "android")
            try await world.process("activity-center").destroy()
            try #require(truncate(store + "-wal", 32) == 0)
            let refused = try world.launch("activity-center", [World.products + "/activity-center"])
            #expect(try await refused.exit() == 73)
            #expect(world.errors(of: "activity-center").contains("it is not what was committed"))
        }
    }

    @Test func doctorDeepFindsAFlippedBitInARunningService() async throws {
        try await World.with { world in
            try await world.observe(ActivityData.phone(300, seed: 7), device: "phone", model: "android")
            try await Self.stopAll(world)
            try await Self.startAll(world)
            let file = try #require(FileHandle(forUpdatingAtPath: Self.store(world, .activity)))
            try file.seek(toOffset: 40_000)
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: 40_000)
            try file.write(contentsOf: Data([byte ^ 0x10]))
            let deep = try await world.command("doctor", "--deep")
            #expect(deep.status == 1)
            #expect(deep.output.contains("pages that differ from what was committed: 10"), "\(deep.output)")
            #expect(try await world.health(.activity).state == .degraded)
        }
    }
}
