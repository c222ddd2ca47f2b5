import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

/// A domain is one, however a sensor, a program or a person spells it.
@Suite struct DomainSpellingTests {
    private static let name = "xn--bcher-kva.de"
    private static let spellings = [name, "bücher.de", "BÜCHER.de", "XN--Bcher-KVA.DE", "bücher.de."]

    /// One minute in the foreground, from `from`.
    private static func minute(_ host: String, from: Instant) -> [Observation] {
        [
            Observation(at: from, kind: .domain, domain: host),
            Observation(at: from + 30_000, kind: .alive),
            Observation(at: from + 60_000, kind: .domain),
        ]
    }

    /// A minute in each spelling, one after the other.
    private static func minutes(from: Instant) -> [Observation] {
        spellings.enumerated().flatMap { minute($1, from: from + .minutes(Int64($0))) }
    }

    @LoopActor private static func totals(_ world: World, domains: [String]? = nil) async throws
        -> [String: Int64]
    {
        let head = try await world.health(.activity).head
        let answer = try await world.call(
            ReportQuery.self,
            ReportQuery.Params(from: "2026-03-06", zone: "UTC", webDomains: domains, by: .domain),
            notBefore: [Position(.activity, head)])
        return Dictionary(uniqueKeysWithValues: answer.rows.map { ($0.key, $0.value) })
    }

    @Test func useInEverySpellingIsUseOfOneDomain() async throws {
        let services = ["activity-center", "report-service"]
        try await World.with(services, clock: "2026-03-06T08:00:00Z") { world in
            let recorder = try world.record(.activity)
            let event = EventDefinition(
                name: "limit", webDomains: ["Bücher.DE."], threshold: DateComponents(minute: 5),
                includesPastActivity: true)
            try await world.monitor([.allDay("daily", [event])])
            let start = try world.clock.now
            try await world.clock.advance(.minutes(10))
            try await world.observe(Self.minutes(from: start), device: "laptop")
            let reached = try await recorder.first(EventDidReachThreshold.self).about
            #expect(reached.at == start + 300_000)
            #expect(try await Self.totals(world) == [Self.name: 300_000])
            for spelling in Self.spellings + ["www." + Self.name] {
                let isWhole = !spelling.hasPrefix("www")
                let known = try await Self.totals(world, domains: [spelling])
                #expect(known == (isWhole ? [Self.name: 300_000] : [:]), "\(spelling)")
                let read = try await world.call(
                    UsageRead.self,
                    UsageRead.Params(subject: spelling, from: start, to: start + 600_000))
                #expect(read.usage.map(\.subject) == (isWhole ? [Self.name] : []), "\(spelling)")
            }
        }
    }

    /// People read the name that they know; programs the one spelling of all.
    @Test func peopleReadTheNameThatTheyKnow() async throws {
        try await World.with(["auth-service", "activity-center", "shield-service"]) { world in
            let domains: [(String, JSONValue)] = [("shield.webDomains", ["bücher.de"])]
            _ = try await ShieldServiceTests.write(world, "daily", domains)
            for words in [["shield", "list"], ["catalog", "show", Self.name]] {
                let person = try await world.command(words)
                #expect(person.output.contains("bücher.de") && !person.output.contains("xn--"), "\(person)")
                let program = try await world.command(words + ["--json"])
                #expect(program.output.contains(Self.name), "\(program)")
            }
        }
    }

    /// What a table shows is found by that, and sentences name it so.
    @Test func peopleFindAndReadOneName() async throws {
        try await World.with { world in
            func say(_ words: [String]) async throws -> String {
                let outcome = try await world.command(words)
                #expect(outcome.status == 0 && !outcome.output.contains("xn--"), "\(words): \(outcome)")
                return outcome.output
            }
            let set = try await say(["catalog", "set", Self.name, "education"])
            #expect(set.contains("your setting: bücher.de"), "\(set)")
            for filter in ["bücher", "BÜCHER.de", "xn--bch"] {
                let found = try await say(["catalog", "list", filter, "--domains"])
                #expect(found.contains("bücher.de"), "\(filter): \(found)")
            }
            let allowed = try await world.app("limits", "allow", "bücher.de", "--domain")
            #expect(allowed.status == 0, "\(allowed)")
            let limits = try await world.app("limits", "list")
            #expect(limits.lines.first?.hasPrefix("bücher.de  [domain]") == true, "\(limits)")
            let start = try VirtualClock.instant("2026-03-06T08:00:00Z")
            try await world.observe(Self.minute(Self.name, from: start), device: "laptop")
            let forget = try await world.command("forget", "--domain", Self.name, "--dry-run")
            #expect(forget.lines.first == "To forget: all use of bücher.de.", "\(forget)")
            #expect(forget.lines.contains("Nothing is left then of: bücher.de."), "\(forget)")
        }
    }

    @Test func aShieldIsFoundInEverySpelling() async throws {
        try await World.with(["shield-service"]) { world in
            let domains: [(String, JSONValue)] = [("shield.webDomains", ["Bücher.DE.", "Example.ORG."])]
            _ = try await ShieldServiceTests.write(world, "daily", domains)
            #expect(
                try await ShieldServiceTests.list(world).map(\.subject) == ["example.org", Self.name])
            for spelling in Self.spellings + ["www.bücher.de", "EXAMPLE.org.", "a.example.org"] {
                let known = try await world.call(
                    ShieldExplain.self, ShieldExplain.Params(subject: spelling))
                #expect(known.shielded, "\(spelling)")
                let screen = try await world.call(
                    ShieldScreenRead.self, ShieldScreenRead.Params(kind: .domain, subject: spelling))
                #expect(screen.screen.origin == .system, "\(spelling)")
            }
        }
    }

    @Test(arguments: spellings) func forgettingOneSpellingForgetsAll(spelling: String) async throws {
        try await World.with { world in
            let start = try VirtualClock.instant("2026-03-06T08:00:00Z")
            try await world.observe(Self.minutes(from: start), device: "laptop")
            try await world.observe(
                Self.minute("other.example", from: start + 300_000), device: "laptop")
            let outcome = try await world.command("forget", "--domain", spelling, "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await Self.totals(world) == ["other.example": 60_000])
            #expect(try world.files(with: ["xn--bcher", "bücher", "BÜCHER"]) == [])
        }
    }

    /// A store of an older version, which stored domains as received.
    @Test func aStoreOfBeforeGetsTheOneSpelling() async throws {
        try await World.with(["activity-center"], clock: "2026-03-06T08:00:00Z") { world in
            let start = try world.clock.now
            try await world.clock.advance(.minutes(10))
            let told =
                Self.minute("a.example", from: start)
                + Self.minute("b.example", from: start + 60_000)
                + Self.minute(Self.name, from: start + 120_000)
                + Self.minute("other.example", from: start + 180_000)
            try await world.observe(told, device: "laptop")
            try await world.observe(told, device: "phone", model: "android")
            // The same in two spellings at one instant.
            try await world.observe(
                Self.minute("b.example", from: start + 120_000), device: "laptop")
            try await world.process("activity-center").destroy()
            let names = [("a.example", "bücher.de."), ("b.example", "bücher.de")]
            try world.editActivityStore(
                names.map { now, before in
                    """
                    UPDATE subject SET name = '\(before)' WHERE name = '\(now)';
                    UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\(now)', '\(before)') AS BLOB);
                    """
                }.joined())
            try await world.start("activity-center")
            try await world.start("report-service")
            // Two devices, of which the union counts.
            #expect(try await Self.totals(world) == [Self.name: 180_000, "other.example": 60_000])
            let head = try await world.health(.activity).head
            let known = try await world.replayed(try world.record(.activity), through: head)
            for device in ["laptop", "phone"] {
                let own = known.subjects.filter { $0.key.device == device }
                #expect(Set(own.keys.map(\.subject)) == [Self.name, "other.example"], "\(own)")
                let use = own[.init(device: device, kind: .domain, subject: Self.name)]?.intervals
                #expect(use?.reduce(0) { $0 + $1.value - $1.key } == 180_000)
            }
            // What is there in any spelling is known.
            let again = try await world.observe(
                Self.minute("BÜCHER.de", from: start)
                    + Self.minute("bücher.de.", from: start + 120_000), device: "laptop")
            #expect(again.accepted == 0)
            // And the next start changes nothing.
            try await world.process("activity-center").destroy()
            try await world.start("activity-center")
            #expect(try await world.health(.activity).head == head)
        }
    }
}
