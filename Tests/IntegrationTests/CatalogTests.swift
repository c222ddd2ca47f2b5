import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing
import Time
import Units

/// Categories through the processes: what decides them, and that reports and thresholds follow.
@Suite struct CatalogTests {
    nonisolated static let services = ["auth-service", "activity-center", "report-service"]
    /// 2023-06-01T00:00:00Z
    nonisolated static let t: Instant = 1_685_577_600_000

    /// Imports minutes of use on a device of the past: apps by focus, hosts by tab.
    @LoopActor static func use(
        _ world: World, _ observations: [Observation], device: String = "laptop", model: String = "import"
    ) async throws {
        _ = try await world.call(
            UsageObserve.self,
            UsageObserve.Params(device: device, deviceModel: model, observations: observations))
    }

    /// A browser that shows a host for a minute, then another app for a minute.
    nonisolated static func browsing(_ host: String, at: Instant = t, in browser: String? = "firefox")
        -> [Observation]
    {
        [
            Observation(at: at, kind: .focus, app: browser ?? "surfer"),
            Observation(at: at, kind: .domain, app: browser, domain: host),
            Observation(at: at + 60_000, kind: .domain, app: browser),
            Observation(at: at + 60_000, kind: .focus, app: "editor"),
            Observation(at: at + 120_000, kind: .focus),
        ]
    }

    @LoopActor static func report(_ world: World) async throws -> [String] {
        let head = try await world.health(.activity).head
        let result = try await world.call(
            ReportQuery.self,
            ReportQuery.Params(from: "2023-06-01", to: "2023-06-01", zone: "UTC", by: .category),
            notBefore: [Position(.activity, head)])
        return result.rows.map { "\($0.key) \($0.value / 1_000)" }
    }

    @LoopActor static func resolve(_ world: World, host: String) async throws -> String {
        let item = try await world.call(CatalogResolve.self, CatalogTarget(host: host))
        return "\(item.category) \(item.source.rawValue) \(item.decidedBy ?? "-")"
    }

    @Test func whatAPersonSetComesBeforeListsAndTheTableAndReportsFollowAtOnce() async throws {
        try await World.with(Self.services) { world in
            try await Self.use(world, Self.browsing("www.site.example"))
            #expect(try await Self.report(world) == ["other 120"])
            let list = try world.write(
                "domain,category\nsite.example,games\nyoutube.com,health\n", to: "list.csv")
            #expect(try await world.command("catalog", "import", list).status == 0)
            #expect(try await Self.resolve(world, host: "www.site.example") == "games list site.example list")
            #expect(try await Self.resolve(world, host: "m.youtube.com") == "health list youtube.com list")
            #expect(try await Self.report(world) == ["games 60", "other 60"])
            // The person's word, even about a domain further up, comes before the list's.
            #expect(try await world.command("catalog", "set", "site.example", "reading").status == 0)
            #expect(try await Self.resolve(world, host: "www.site.example") == "reading person site.example")
            #expect(try await Self.report(world) == ["other 60", "reading 60"])
            #expect(try await world.command("catalog", "set", "editor", "developer-tools").status == 0)
            #expect(try await Self.report(world) == ["developer tools 60", "reading 60"])
            #expect(try await world.command("catalog", "unset", "site.example").status == 0)
            #expect(try await Self.report(world) == ["developer tools 60", "games 60"])
            #expect(try await world.command("catalog", "remove", "list").status == 0)
            #expect(try await Self.resolve(world, host: "m.youtube.com") == "entertainment known youtube.com")
            #expect(try await Self.report(world) == ["developer tools 60", "other 60"])
        }
    }

    @Test func categoriesOutliveRestartsAndALostReadModel() async throws {
        try await World.with(Self.services) { world in
            try await Self.use(world, Self.browsing("a.site.example"))
            let list = try world.write("site.example\n", to: "plain.txt")
            let imported = try await world.command("catalog", "import", list, "--category", "travel")
            #expect(imported.status == 0)
            #expect(try await world.command("catalog", "set", "editor", "games").status == 0)
            for name in Self.services {
                let process = try world.process(name)
                process.signal(SIGKILL)
                _ = try await process.exit()
            }
            _ = try await world.run("rm", ["/bin/rm", "-r", "\(world.directory)/state/report-service"])
            for name in Self.services { try await world.start(name) }
            #expect(try await Self.report(world) == ["games 60", "travel 60"])
            let editor = try await world.call(CatalogResolve.self, CatalogTarget(app: "editor"))
            #expect(editor.category == "games" && editor.source == .person)
            #expect(try await Self.resolve(world, host: "a.site.example") == "travel list site.example plain")
        }
    }

    @Test func onlyABrowsersTimeIsItsDomains() async throws {
        try await World.with(Self.services) { world in
            let told = try world.record(.activity)
            // This app is not known as a browser until a tab names it.
            try await Self.use(world, Self.browsing("www.site.example", in: "org.example.Surf"))
            // A tab without a browser's name takes no app's time.
            try await Self.use(world, Self.browsing("b.site.example", at: Self.t + 600_000, in: nil))
            for name in ["site.example", "org.example.Surf", "surfer"] {
                let target =
                    name == "site.example" ? CatalogTarget(host: name) : CatalogTarget(app: name)
                _ = try await world.call(
                    CatalogSet.self,
                    CatalogSet.Params(about: target, category: name == "site.example" ? "reading" : "games"))
            }
            #expect(try await Self.report(world) == ["games 60", "other 120", "reading 120"])
            let surf = try await told.first(UsageRecorded.self) { $0.subject == "org.example.Surf" }
            #expect(surf.browser == true)
        }
    }

    @Test func aThresholdByCategoryFollowsTheCatalogue() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let told = try world.record(.activity)
            let now = WallTime.now
            var definition = ActivityDefinition.between("daily", now - 3_600_000, now + 3_600_000)
            definition.events = [
                EventDefinition(
                    name: "play", categories: ["games"], threshold: DateComponents(second: 30),
                    includesPastActivity: true)
            ]
            try await world.monitor([definition])
            // Fifty seconds in an app that is not a game yet.
            try await Self.use(
                world,
                [
                    Observation(at: now - 50_000, kind: .focus, app: "toy"),
                    Observation(at: now, kind: .focus),
                ])
            #expect(try told.all(EventDidReachThreshold.self).isEmpty)
            _ = try await world.call(
                CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: "toy"), category: "games"))
            let reached = try await told.first(EventDidReachThreshold.self)
            #expect(reached.about.total == 30_000)
            // Delivered callbacks stay delivered, and are not delivered again.
            _ = try await world.call(CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: "toy")))
            _ = try await world.call(
                CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: "toy"), category: "games"))
            let last = try await world.health(.activity).head
            _ = try await told.wait(for: "the last change") {
                $0.events.last?.sequence ?? 0 >= last ? true : nil
            }
            #expect(try told.all(EventDidReachThreshold.self).count == 1)
        }
    }

    @Test func aThresholdByCategoryFollowsAnImportedList() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let told = try world.record(.activity)
            let now = WallTime.now
            var definition = ActivityDefinition.between("daily", now - 3_600_000, now + 3_600_000)
            definition.events = [
                EventDefinition(
                    name: "play", categories: ["games"], threshold: DateComponents(second: 30),
                    includesPastActivity: true)
            ]
            try await world.monitor([definition])
            // Fifty seconds of a host in a browser whose own category is another.
            try await Self.use(world, Self.browsing("www.site.example", at: now - 110_000))
            let list = try world.write("site.example,games\n", to: "list.csv")
            #expect(try await world.command("catalog", "import", list).status == 0)
            let reached = try await told.first(EventDidReachThreshold.self)
            #expect(reached.about.total == 30_000 && reached.about.at == now - 80_000)
        }
    }

    @Test func theCatalogueIsListedPageByPageAndFiltered() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let apps = (0..<30).map { number in
                InstalledApp(
                    app: "app\(number + 10)", name: "Name \(number + 10)",
                    categories: number % 3 == 0 ? ["Game"] : [])
            }
            _ = try await world.call(CatalogObserve.self, CatalogObserve.Params(device: "a", apps: apps))
            try await Self.use(world, Self.browsing("www.site.example", in: "zzz"))
            func all(_ params: CatalogList.Params) async throws -> [String] {
                var (params, found) = (params, [String]())
                repeat {
                    let page = try await world.call(CatalogList.self, params)
                    #expect(page.items.count <= 7)
                    found += page.items.map(\.subject)
                    params.after = page.next
                } while params.after != nil
                return found
            }
            let names = (10..<40).map { "app\($0)" }
            #expect(try await all(.init(limit: 7)) == names + ["editor", "zzz"])
            #expect(try await all(.init(filter: "NAME 3", limit: 7)) == Array(names.suffix(10)))
            let games = try await all(.init(category: "Games", source: .entry, limit: 7))
            #expect(games == stride(from: 10, to: 40, by: 3).map { "app\($0)" })
            let domains = try await all(.init(kind: .domain, limit: 7))
            #expect(domains.contains("www.site.example") && domains.contains("youtube.com"))
            #expect(domains == domains.sorted() && Set(domains).count == domains.count)
            #expect(try await all(.init(kind: .domain, filter: "site.ex", limit: 7)) == ["www.site.example"])
            // A device's new list replaces its old one; the facts about an app stay.
            _ = try await world.call(
                CatalogObserve.self,
                CatalogObserve.Params(device: "a", apps: Array(apps.prefix(1)), begins: true))
            let (kept, gone) = (
                try await world.call(CatalogResolve.self, CatalogTarget(app: "app10")),
                try await world.call(CatalogResolve.self, CatalogTarget(app: "app11"))
            )
            #expect(kept.devices == ["a"] && gone.devices == nil && gone.name == "Name 11")
        }
    }

    @Test func whatAPersonTypesIsUnderstood() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let apps = [
                InstalledApp(app: "org.gnome.Music", name: "Music"), InstalledApp(app: "a", name: "Twin"),
                InstalledApp(app: "b", name: "twin"),
            ]
            _ = try await world.call(CatalogObserve.self, CatalogObserve.Params(device: "d", apps: apps))
            try await Self.use(world, Self.browsing("intranet"))
            let meant: [(String, SubjectKind, String)] = [
                ("org.gnome.Music", .app, "org.gnome.Music"), ("music", .app, "org.gnome.Music"),
                ("WWW.BBC.co.uk", .domain, "www.bbc.co.uk"), ("com.whatsapp", .app, "com.whatsapp"),
                ("intranet", .domain, "intranet"), ("exe:/opt/x", .app, "exe:/opt/x"), ("foot", .app, "foot"),
            ]
            for (typed, kind, subject) in meant {
                let item = try await world.call(CatalogResolve.self, CatalogTarget(target: typed))
                #expect(item.kind == kind && item.subject == subject, "\(typed)")
            }
            let page = try await world.call(CatalogResolve.self, CatalogTarget(target: "x.someone.github.io"))
            #expect(page.registrableDomain == "someone.github.io")
            let twins = await #expect(throws: ServiceError.self) {
                try await world.call(CatalogResolve.self, CatalogTarget(target: "Twin"))
            }
            #expect(twins?.name == .invalidArgument && twins?.remedy.contains("a, b") == true)
            for wrong in [CatalogTarget(), CatalogTarget(app: "a", host: "b"), CatalogTarget(app: "")] {
                await #expect(throws: ServiceError.self) { try await world.call(CatalogResolve.self, wrong) }
            }
            // Forced either way.
            #expect(try await world.command("catalog", "set", "--app", "site.test", "games").status == 0)
            let app = try await world.call(CatalogResolve.self, CatalogTarget(app: "site.test"))
            let host = try await world.call(CatalogResolve.self, CatalogTarget(host: "site.test"))
            #expect(app.category == "games" && host.category == "other")
            let refused = try await world.command("catalog", "unset", "--domain", "site.test")
            #expect(refused.status == 1 && refused.errors.contains("no category was set"))
            let odd = try await world.command("catalog", "set", "site.test", "adult")
            #expect(odd.status == 1 && odd.errors.contains("developer tools"))
        }
    }
}
