import Contract
import Foundation
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// Deletion in activity-center, compared with a model that computes everything again without the deleted
/// observations.
@Suite struct ForgetUseTests {
    /// One device for each seed, all in one process.
    private static let seeds: [UInt64] = Array(0..<40)

    @LoopActor private static func fill(
        _ world: World, _ make: (UInt64) -> [UsageChange]
    ) async throws -> [UInt64: [UsageChange]] {
        var histories: [UInt64: [UsageChange]] = [:]
        for seed in seeds {
            // Equal observations are one.
            let changes = Array(Set(make(seed)))
            histories[seed] = changes
            for batch in ActivityData.batches(changes.sorted(), 50...400, seed: seed) {
                try await world.observe(batch, device: "d\(seed)", model: "other")
            }
        }
        return histories
    }

    /// The state of a reader that starts at the beginning now.
    @LoopActor private static func read(_ world: World) async throws -> ReplayedUsage {
        let head = try await world.health(.activity).head
        return try await world.replayed(try world.record(.activity), through: head)
    }

    /// As the rules have the history of a device, without its subjects or a stretch.
    @LoopActor private static func expect(
        _ world: World, _ histories: [UInt64: [UsageChange]], _ forget: (inout ForgetModel) -> Void
    ) async throws {
        let known = try await read(world)
        for (seed, changes) in histories.sorted(by: { $0.key < $1.key }) {
            var model = ForgetModel(changes)
            forget(&model)
            let device = "d\(seed)"
            let expected = model.replayed(device).united(device)
            #expect(known.united(device).differences(from: expected) == [], "seed \(seed)")
        }
    }

    @Test(arguments: [
        (SubjectKind.app, "app2"), (.domain, "b.example"), (.domain, "www.b.example"), (.app, "unknown"),
    ])
    func withoutASubjectAllElseIsAsItWas(kind: SubjectKind, name: String) async throws {
        func isIncluded(_ subject: Subject) -> Bool {
            subject.subjectKind == kind
                && (subject.id == name || (kind == .domain && subject.id.hasSuffix(".\(name)")))
        }
        try await World.with(["activity-center"]) { world in
            var histories = try await Self.fill(world) { ForgetData.desktop(300, seed: $0) }
            try await world.forget([.activity], .init(kind: kind, subject: name))
            try await Self.expect(world, histories) { $0.forget(isIncluded) }
            // Late data causes everything after it to be computed again; its effect on others is as if
            // nothing had been deleted.
            for seed in Self.seeds {
                // Before any reboot: two boots at one instant have no order that a model could know.
                let rebooted = (histories[seed] ?? []).filter { $0.boot?.id != "boot1" }.map(\.at).min()
                let late = ForgetData.desktop(200, seed: seed + 1_000).filter { change in
                    switch change.kind {
                    case .focus, .opened, .closed, .domain, .notification: false
                    default: change.boot?.id == "boot1" && change.at < rebooted ?? .max
                    }
                }
                let fresh = Set(late).subtracting(histories[seed] ?? [])
                histories[seed, default: []] += fresh
                try await world.observe(Array(fresh), device: "d\(seed)", model: "other")
            }
            try await Self.expect(world, histories) { $0.forget(isIncluded) }
        }
    }

    @Test func aStretchIsCutOutOfDesktops() async throws {
        let stretch = ForgetData.start + 200_300..<ForgetData.start + 450_700
        try await World.with(["activity-center"]) { world in
            let histories = try await Self.fill(world) { ForgetData.desktop(300, seed: $0) }
            try await world.forget([.activity], .init(from: stretch.lowerBound, to: stretch.upperBound))
            try await Self.expect(world, histories) { $0.forget(stretch) }
        }
    }

    @Test func aStretchIsCutOutOfPhonesAndLateDataAfterItFits() async throws {
        let stretch = ForgetData.start + 100_000..<ForgetData.start + 200_000
        try await World.with(["activity-center"]) { world in
            var histories = try await Self.fill(world) { Self.phone(seed: $0) }
            try await world.forget([.activity], .init(from: stretch.lowerBound, to: stretch.upperBound))
            try await Self.expect(world, histories) { $0.forget(stretch) }
            for seed in Self.seeds {
                let late = Self.phone(seed: seed + 1_000).filter {
                    $0.at >= stretch.upperBound + 1_000
                }
                histories[seed, default: []] += late
                try await world.observe(late, device: "d\(seed)", model: "other")
            }
            try await Self.expect(world, histories) { $0.forget(stretch) }
        }
    }

    /// Without unlocks: of several foreground apps the last one gets a pickup, and their order is not known
    /// after the deleted range.
    private static func phone(seed: UInt64) -> [UsageChange] {
        ActivityData.phone(400, seed: seed).filter { $0.kind != .unlocked }
    }

    @Test func theSameDataAgainBringsItBack() async throws {
        try await World.with(["activity-center"]) { world in
            let histories = try await Self.fill(world) { ForgetData.desktop(200, seed: $0) }
            try await world.forget([.activity], .init(kind: .app, subject: "app1"))
            for (seed, changes) in histories {
                try await world.observe(changes, device: "d\(seed)", model: "other")
            }
            try await Self.expect(world, histories) { _ in }
        }
    }

    /// A link leads to the file that is replaced; anything but a file is written to, and stays.
    @Test func anExportGoesWhereItsPlaceLeads() async throws {
        try await World.with(["auth-service", "activity-center", "report-service"]) { world in
            _ = try await Self.fill(world) { ForgetData.desktop(10, seed: $0) }
            let (link, file) = (world.directory + "/link", world.directory + "/file")
            try "before".write(toFile: file, atomically: false, encoding: .utf8)
            #expect(symlink(file, link) == 0)
            #expect(try await world.command("export", "-o", link).status == 0)
            let exported = try String(contentsOfFile: file, encoding: .utf8)
            #expect(exported.contains("app2"))
            var facts = stat()
            #expect(lstat(link, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
            let fifo = world.directory + "/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            async let read = world.run("reader", ["/bin/cat", fifo])
            #expect(try await world.command("export", "-o", fifo).status == 0)
            #expect(try await read.lines.joined(separator: "\n") + "\n" == exported)
            #expect(lstat(fifo, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
            let directory = try await world.command("export", "-o", world.directory)
            #expect(directory.status != 0 && directory.errors.contains("Is a directory"), "\(directory)")
            #expect(try await world.command("export", "-o", link + "/x").status != 0)
        }
    }

    /// Placeholders of deleted subjects are exported, and reveal nothing.
    @Test func anExportOfTheRestImportedAgainHasTheSameUse() async throws {
        try await World.with(["auth-service", "activity-center", "report-service"]) { world in
            let histories = try await Self.fill(world) { ForgetData.desktop(300, seed: $0) }
            try await world.forget([.activity, .report], .init(kind: .app, subject: "app2"))
            let from = ForgetData.start + 300_500
            try await world.forget([.activity, .report], .init(from: from, to: from + 100_000))
            for seed in histories.keys.sorted().prefix(5) {
                let file = "\(world.directory)/export-\(seed).jsonl"
                let export = try await world.command("export", "--device", "d\(seed)", "-o", file)
                #expect(export.status == 0, "\(export)")
                #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("app2"))
                let again = try await world.command(
                    "import", file, "--device", "again-\(seed)", "--model", "other")
                #expect(again.status == 0, "\(again)")
            }
            let known = try await Self.read(world)
            for seed in histories.keys.sorted().prefix(5) {
                let copy = known.united("again-\(seed)").named("d\(seed)")
                #expect(copy.differences(from: known.united("d\(seed)")) == [], "seed \(seed)")
            }
        }
    }

    @Test func everythingGoesAndWhatIsNewIsRecorded() async throws {
        try await World.with(["activity-center"]) { world in
            _ = try await Self.fill(world) { ForgetData.desktop(50, seed: $0) }
            try await world.forget([.activity], .init(everything: true))
            #expect(try await Self.read(world).subjects.isEmpty)
            let again = ActivityData.phone(50, seed: 7)
            try await world.observe(again, device: "d7", model: "other")
            try await Self.expect(world, [7: again]) { _ in }
        }
    }

    @Test func aRehearsalCountsAndKeepsEverything() async throws {
        try await World.with(["activity-center"]) { world in
            let histories = try await Self.fill(world) { ForgetData.desktop(50, seed: $0) }
            try await Self.expect(world, histories) { _ in }
            let head = try await world.health(.activity).head
            let params = PrivacyForget.Params(kind: .app, subject: "app1", rehearse: true)
            let told = try await world.client(.activity).call(PrivacyForget.self, params)
            #expect(told.removed.contains { $0.name == "uses" && $0.count > 0 })
            #expect(try await world.health(.activity).head == head)
            try await Self.expect(world, histories) { _ in }
        }
    }

    @Test(arguments: [
        PrivacyForget.Params(), .init(kind: .app), .init(kind: .category, subject: "games"),
        .init(from: 5, to: 5), .init(kind: .app, subject: "a", everything: true),
    ])
    func oneThingMustBeNamed(params: PrivacyForget.Params) async throws {
        try await World.with(["activity-center"]) { world in
            await #expect { try await world.client(.activity).call(PrivacyForget.self, params) } throws: {
                ($0 as? ServiceError)?.name == .invalidParams
            }
        }
    }
}
