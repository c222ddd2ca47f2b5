import Contract
import Glibc
import Monitoring
import Rules
import Schedules
import Units

// What one more observation costs with many thresholds pending, in the pure rules: no bus, no store.
//
// Usage: bench-rules SCENARIO COUNT SWITCHES
//
// Prints, in this order: nanoseconds per focus change (median of rounds of 100), nanoseconds per threshold
// to register and to restore, kilobytes of resident memory they took.

let scenarios = ["sameApp", "differentApps", "categories", "everything", "mixedRegistrations", "passing"]

func now_ns() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// From /proc/self/statm, in pages of 4 KiB.
func resident_kb() -> Int64 {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, 128, file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int64(text.split(separator: " ")[1]) ?? 0) * 4
}

struct Bench {
    static let midnight: Instant = 1_772_409_600_000
    let scenario: String
    let count: Int
    let zone: Zone
    let eventsPerActivity = 1_000
    var now = Bench.midnight + .hours(8)
    var rules = MonitorRules(Catalogue(appCategories: ["one": "games", "two": "social"]))

    func event(_ number: Int) -> EventDefinition {
        // Far enough that none is reached, except where they shall pass.
        let minutes = scenario == "passing" ? Int64(1 + number % 1_000) : Int64(1_000 + number % 400)
        var event = EventDefinition(
            name: "event \(number)", threshold: DateComponents(minute: minutes, second: Int64(number % 60)),
            includesPastActivity: scenario != "mixedRegistrations" || number % 2 == 0)
        switch scenario {
        case "differentApps": event.applications = [number % 2 == 0 ? "one" : "app \(number)"]
        case "categories": event.categories = [["games", "social", "other"][number % 3]]
        case "everything": break
        default: event.applications = ["one"]
        }
        if scenario == "differentApps", number > 0 { event.applications = ["app \(number)"] }
        return event
    }

    func activity(_ first: Int) -> ActivityDefinition {
        ActivityDefinition(
            name: "activity \(first)",
            schedule: Schedule(
                intervalStart: DateComponents(hour: 0), intervalEnd: DateComponents(hour: 0), repeats: true,
                warningTime: DateComponents(minute: 5)),
            events: (first..<min(count, first + eventsPerActivity)).map(event))
    }

    func name(_ first: Int) -> ActivityName {
        ActivityName(client: "org.example", member: "me", name: "activity \(first)")
    }

    /// - Returns: nanoseconds per threshold.
    mutating func register() throws -> Int64 {
        let definitions = stride(from: 0, to: count, by: eventsPerActivity).map { ($0, activity($0)) }
        let begin_ns = now_ns()
        for (first, definition) in definitions {
            if scenario == "mixedRegistrations" { now += 1 }
            try rules.register(
                definition, as: name(first), registration: Int64(first + 1), registered: now,
                zone: zone)
            _ = try rules.due(until: now)
        }
        return (now_ns() - begin_ns) / Int64(count)
    }

    /// A second set of rules from what a store would keep.
    func restore() throws -> Int64 {
        let kept = rules.names.compactMap { name in
            rules.view(of: name).flatMap { view in rules.state(of: name).map { (name, view, $0) } }
        }
        let begin_ns = now_ns()
        let fresh = MonitorRules()
        for (name, view, state) in kept {
            try fresh.restore(
                view.definition, as: name, registration: view.registration, registered: view.registered,
                zone: zone, state)
        }
        _ = try fresh.due(until: now)
        return (now_ns() - begin_ns) / Int64(count)
    }

    /// Two apps in turn, a second each.
    /// - Returns: nanoseconds per switch, the median of rounds of 100.
    mutating func observe(_ switches: Int) throws -> Int64 {
        var rounds: [Int64] = []
        var apps = ("one", "two")
        var since = now
        for _ in 0..<switches / 100 {
            let begin_ns = now_ns()
            for _ in 0..<100 {
                now += 1_000
                var change = UseChange(member: "me", device: "laptop")
                if let interval = TimeRange(start: since, end: now) {
                    change.added = [Use(.app(apps.0), interval)]
                }
                apps = (apps.1, apps.0)
                since = now
                change.running = [RunningUse(.app(apps.0), start: now)]
                try rules.apply(change)
                _ = try rules.due(until: now)
                _ = rules.nextDue
            }
            rounds.append((now_ns() - begin_ns) / 100)
        }
        return rounds.sorted()[rounds.count / 2]
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, scenarios.contains(arguments[1]), let count = Int(arguments[2]), count > 0,
    let switches = Int(arguments[3]), switches >= 100
else {
    print("usage: bench-rules \(scenarios.joined(separator: "|")) COUNT SWITCHES")
    exit(64)
}
var bench = Bench(scenario: arguments[1], count: count, zone: try Zone("UTC"))
let before_kb = resident_kb()
let register_ns = try bench.register()
let memory_kb = resident_kb() - before_kb
let observe_ns = try bench.observe(switches)
let restore_ns = try bench.restore()
print(observe_ns, register_ns, restore_ns, memory_kb)
