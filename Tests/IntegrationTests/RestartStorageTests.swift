import Contract
import Foundation
import Glibc
import Rules
import ScreenTimeTesting
import Testing

/// What a damaged, an older and a full disk do to the services as processes.
@Suite struct RestartStorageTests {
    /// A service refuses a database with an overwritten header and names the file; the others run.
    @Test func aDamagedDatabaseStopsItsServiceOnly() async throws {
        try await World.with { world in
            for service in ServiceName.allCases {
                try await world.process(service.rawValue).destroy()
                let path = "\(world.directory)/state/\(service.rawValue)/\(service.rawValue).sqlite3"
                let file = try #require(FileHandle(forUpdatingAtPath: path))
                let header = try #require(try file.read(upToCount: 100))
                try file.seek(toOffset: 0)
                try file.write(contentsOf: Data(repeating: 0x55, count: 100))
                let refused = try world.launch(
                    service.rawValue, [World.products + "/" + service.rawValue])
                #expect(try await refused.exit() == 73, "\(service.rawValue)")
                #expect(world.errors(of: service.rawValue).contains(path))
                for other in ServiceName.allCases where other != service {
                    #expect(try await world.health(other).state != .down)
                }
                // Put back, it is the store it was.
                try file.seek(toOffset: 0)
                try file.write(contentsOf: header)
                try file.close()
                try await world.start(service.rawValue)
            }
            try await world.settle()
        }
    }

    /// report-service keeps a copy: its damage does not call for restoring the others, and the suggested
    /// remedy rebuilds all of it.
    @Test func theRemedyOfADamagedCopyLosesNothing() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.spend(.minutes(15), on: "org.example.Game")
            try await world.settle()
            let report = try await world.command("report", "--json")
            try await world.process("report-service").stop()
            let directory = "\(world.directory)/state/report-service"
            let file = try #require(FileHandle(forUpdatingAtPath: "\(directory)/report-service.sqlite3"))
            try file.seek(toOffset: 4_096 + 100)
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: 4_096 + 100)
            try file.write(contentsOf: Data([byte ^ 1]))
            try file.close()
            let refused = try world.launch("report-service", [World.products + "/report-service"])
            #expect(try await refused.exit() == 73)
            let told = world.errors(of: "report-service")
            #expect(told.contains("move \(directory) away") && !told.contains("restore"), "\(told)")
            try FileManager.default.moveItem(atPath: directory, toPath: "\(world.directory)/away")
            try await world.start("report-service")
            try await world.settle()
            let again = try await world.command("report", "--json")
            #expect(again.status == 0 && again.lines == report.lines && report.lines != [], "\(again)")
        }
    }

    /// The first schema of activity-center had no monitoring and no catalogue; its data is kept.
    @Test func anOlderDatabaseIsBroughtUpToDate() async throws {
        try await World.with(["activity-center"]) { world in
            let changes = ActivityData.phone(400, seed: 9)
            let head = try await world.observe(changes, device: "phone", model: "android").sequence
            try await world.process("activity-center").stop()
            try world.editActivityStore(
                "DROP TABLE fired; DROP TABLE counted_event; DROP TABLE activity; "
                    + "DROP TABLE installed_app; DROP TABLE category_override; DROP TABLE domain_list; "
                    + "DROP TABLE listed_domain; ALTER TABLE app DROP COLUMN browser; "
                    + "ALTER TABLE app DROP COLUMN icon; ALTER TABLE app DROP COLUMN window_class; "
                    + "ALTER TABLE observation DROP COLUMN shift_ms; "
                    + "UPDATE schema_part SET version = 1 WHERE name = 'service'")
            try await world.start("activity-center")
            let recorder = try world.record(.activity)
            let told = try await world.replayed(recorder, through: head)
            #expect(told == ReplayedUsage(changes: changes, device: "phone"))
            let again = try await world.observe(changes, device: "phone", model: "android")
            #expect(again.duplicates == Int64(changes.count) && again.accepted == 0)
            try await world.monitor([.allDay("daily", [])])
            #expect(try await world.call(MonitoringList.self, .init()).activities.count == 1)
        }
    }

    /// The limit of a file's size ends no service: the write that it forbids is refused. Programs that a
    /// service starts are ended by it, as by every limit of theirs.
    @Test func aFileThatMayNotGrowEndsNoService() async throws {
        func ignoresLimit(_ pid: Int32) throws -> Bool {
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
            let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
            return mask >> (UInt64(SIGXFSZ) - 1) & 1 == 1
        }
        try await World.with { world in
            for service in ServiceName.allCases {
                #expect(
                    try ignoresLimit(world.process(service.rawValue).pid), "\(service.rawValue)")
            }
            let pid = try world.process("auth-service").pid
            func limit(_ bytes: String) async throws {
                let (status, _) = try await world.run(
                    "prlimit", ["/usr/bin/prlimit", "--fsize=\(bytes)", "--pid", "\(pid)"])
                #expect(status == 0)
            }
            try await limit("4096:")
            let refusal = await #expect(throws: ServiceError.self) {
                _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "late"))
            }
            // SQLite does not report EFBIG in more detail.
            #expect(refusal?.name == .storageFailed, "\(String(describing: refusal))")
            try await limit("unlimited:")
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "late"))
            #expect(try world.process("auth-service").pid == pid)
        }
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            try await world.publish(["intervalDidStart:"])
            let pid = try await MonitorRunnerTests.waitForProcess(world, bundle)
            #expect(try !ignoresLimit(pid))
            await bundle.openGate(bundle.files)
        }
    }

    private static let canMount: Bool = {
        var template = Array("/tmp/stm-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return false }
        defer { rmdir(template) }
        guard mount("tmpfs", template, "tmpfs", 0, "size=65536") == 0 else { return false }
        return umount2(template, Int32(MNT_DETACH)) == 0
    }()

    /// A full disk gives a typed error; nothing acknowledged is lost, and with space again it continues by
    /// itself.
    @Test(.enabled(if: canMount, "mounting a tmpfs needs root"))
    func aFullDiskRefusesByNameAndRecovers() async throws {
        try await World.with([]) { world in
            let place = "\(world.directory)/state/activity-center"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try #require(mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700") == 0, "errno \(errno)")
            defer { umount2(place, Int32(MNT_DETACH)) }
            try await world.start("activity-center")
            let recorder = try world.record(.activity)
            var batches = ActivityData.batches(ActivityData.phone(60_000, seed: 11), 200...200, seed: 11)[...]
            var sent: [UsageChange] = []

            var refused: ErrorName?
            while refused == nil, let batch = batches.first {
                refused = await refusal {
                    try await world.observe(
                        batch, device: "phone", model: "android", key: "batch \(sent.count)")
                }
                if refused == nil { sent += batches.removeFirst() }
            }
            #expect(refused == .storageFull)
            #expect(sent.count > 200)
            let full = try await world.health(.activity)
            #expect(full.state == .degraded && full.degradedBy.count == 1, "\(full)")
            // Reads still work, and a kill in this state loses nothing acknowledged.
            #expect(try await world.call(UsageRead.self, .init(from: 0, to: .max)).usage.isEmpty == false)

            try #require(mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT), "size=64m") == 0, "errno \(errno)")
            var last: Int64 = 0
            for _ in 0..<3 {
                let batch = batches.removeFirst()
                let answer = try await world.observe(
                    batch, device: "phone", model: "android", key: "batch \(sent.count)")
                #expect(answer.accepted == Int64(batch.count), "the refused one left nothing behind")
                sent += batch
                last = answer.sequence
            }
            let told = try await world.replayed(recorder, through: last)
            #expect(told == ReplayedUsage(changes: sent, device: "phone"))
            #expect(recorder.events.map(\.sequence) == Array(1...last))
            #expect(try await world.health(.activity).state == .ready)
            try await world.process("activity-center").destroy()
            try await world.start("activity-center")
            #expect(try await world.health(.activity).head >= last)
            try await world.process("activity-center").stop()
        }
    }
}
