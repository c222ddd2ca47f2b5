import FileAccess
import Units
import Bus
import CommandKit
import Contract
import Foundation
import Glibc
import JSON
import ScreenTimeTesting
import ServiceKit
import Testing

@testable import CommandCore

@Suite("status and doctor") struct CommandLineStatusTests {
    static let others: [ServiceName] = [.activity, .shield, .notifier, .report, .monitor]

    @Test func statusIsExactlyThatDocument() async throws {
        try await World.with(["auth-service"]) { world in
            let standIn = try StandIn(.notifier, world, state: .degraded, degradedBy: ["no daemon"])
            defer { standIn.close() }
            // Who does not answer in time is down, as on a busy machine.
            var services: [JSONValue] = []
            try await world.eventually("both answer in time") {
                let outcome = try await world.command("status", "--json")
                #expect(outcome.status == 69)
                services = try #require(try outcome.json()["services"]?.arrayValue)
                return services[0]["state"] == "ready" && services[3]["state"] == "degraded"
            }
            let names = services.compactMap { $0["name"]?.stringValue }
            #expect(names == ServiceName.startOrder.map(\.rawValue) + ["desktop-agent"])
            for service in services {
                let keys = service.objectValue?.map(\.key)
                #expect(
                    keys == [
                        "name", "state", "pid", "since_ms", "queue", "last_error", "last_error_ms",
                        "not_acting",
                    ])
            }
            let pid = try world.process("auth-service").pid
            #expect(services[0]["state"] == "ready" && services[0]["pid"] == .integer(Int64(pid)))
            #expect(services[0]["queue"] == 0 && services[0]["last_error"] == .null)
            let down: JSONValue = [
                "name": "activity-center", "state": "down", "pid": nil, "since_ms": nil, "queue": nil,
                "last_error": "is not running", "last_error_ms": nil, "not_acting": [],
            ]
            #expect(services[1] == down)
            let degraded: JSONValue = [
                "name": "notifier", "state": "degraded", "pid": 42, "since_ms": 7, "queue": 3,
                "last_error": "no daemon", "last_error_ms": nil, "not_acting": [],
            ]
            #expect(services[3] == degraded)
            #expect(services[6]["state"] == "degraded")
        }
    }

    /// Two levels below ready: reduced function is a hint; configured functions that do not work fail, and
    /// are listed first.
    @Test func whatDoesNotActFailsAndComesFirst() async throws {
        try await World.with(["auth-service"]) { world in
            let dead = "thresholds that are reached change nothing: its source is not there"
            let standIns = try Self.others.map { service in
                try StandIn(
                    service, world, state: service == .monitor ? .degraded : .ready,
                    degradedBy: service == .monitor ? [dead, "no bubblewrap"] : [],
                    notActing: service == .monitor ? [dead] : nil)
            }
            defer { standIns.forEach { $0.close() } }
            let status = try await world.command("status")
            #expect(status.status == 69)
            #expect(status.lines.first == "monitor-runner does not act: \(dead)")
            let doctor = try await world.command("doctor")
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("monitor-runner: does not act: \(dead)"))
            #expect(doctor.output.contains("monitor-runner: works without something: no bubblewrap"))
        }
    }

    @Test func anErrorOfThePastSaysWhenAndExpires() {
        var status = ProcessStatus(name: "a", state: .ready)
        #expect(status.trouble(now: 10_000_000) == "")
        status.lastError = "is not running"
        #expect(status.trouble(now: 10_000_000) == "is not running", "what is wrong now")
        status.lastErrorAt = 9_000_000
        #expect(status.trouble(now: 10_000_000) == "\(LocalTime.text(9_000_000)): is not running")
        #expect(status.trouble(now: 12_600_000) == "")
    }

    @Test func theAgentIsFoundByItsLock() async throws {
        try await World.with(["auth-service"]) { world in
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            try await world.eventually("where no agent was lately, an absent one is degraded, no failure") {
                try await world.command("status").status == 0
            }
            do {
                let lock = try FileLock(
                    path: world.runtime.path + "/desktop-agent.lock", holder: "desktop-agent")
                let agent = try await world.command("status", "--json").json()["services"]?[6]
                #expect(agent?["state"] == "ready" && agent?["pid"] == .integer(Int64(getpid())))
                _ = consume lock
            }
            let gone = try await world.command("status", "--json").json()["services"]?[6]
            #expect(gone?["state"] == "degraded" && gone?["pid"] == .null)
        }
    }

    /// Nothing acts without an agent where one checked lately, or where it left apps standing still.
    @Test(arguments: ["checked", "stopped"]) func anAgentIsMissedWhere(it: String) async throws {
        try await World.with(["auth-service", "shield-service"]) { world in
            let standIns = try Self.others.filter { $0 != .shield }.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            // One that finds no display, and `--thaw`, take the lock, too.
            close(open("\(world.directory)/state/desktop-agent.lock", O_CREAT | O_RDWR, 0o600))
            try await world.eventually("all is well") { try await world.command("status").status == 0 }
            switch it {
            case "checked":
                _ = try await world.call(
                    EnforcementRecord.self, EnforcementRecord.Params(agent: "host/:0", state: .enforcing))
            default:
                for (app, process) in [("chess", try Self.ownProcess()), ("go", FrozenProcess(pid: 7))] {
                    _ = try await world.call(
                        ShieldFreeze.self,
                        ShieldFreeze.Params(agent: "host/:0", app: app, processes: [process]))
                }
            }
            let status = try await world.command("status")
            #expect(status.status == 69)
            let sentence = try #require(status.lines.first)
            #expect(sentence.hasPrefix("desktop-agent does not act: it is not running"), "\(status)")
            #expect(sentence.hasSuffix("may stand still: chess") == (it == "stopped"), "\(sentence)")
            let doctor = try await world.command("doctor")
            let words = sentence.replacing("desktop-agent does not act", with: "desktop-agent: does not act")
            #expect(doctor.status == 1 && doctor.output.contains(words), "\(doctor.output)")
        }
    }

    @Test func onlyAProcessThatLivesMayStandStill() throws {
        func apps(_ process: FrozenProcess, of agent: String = "here/:0") -> [String] {
            AbsentAgent.stopped([Freeze(agent: agent, app: "chess", processes: [process])])
        }
        let living = try Self.ownProcess()
        #expect(apps(living) == ["chess"] && apps(living, of: "its former name/:0") == ["chess"])
        var (reused, other, unknown, gone) = (living, living, living, living)
        reused.startTime += 1
        other.bootID = "another boot"
        unknown.bootID = nil
        gone.pid = Int64(Int32.max)
        for process in [reused, other, unknown, gone] { #expect(apps(process) == [], "\(process)") }
        #expect(AbsentAgent.stopped([Freeze(agent: "here/:0", app: "go")]) == [])
    }

    /// This process, as an agent would record it. Its name has no parenthesis.
    private static func ownProcess() throws -> FrozenProcess {
        let stat = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        let start = stat.split(separator: ")").last?.split(separator: " ").dropFirst(19).first
        return FrozenProcess(
            pid: Int64(getpid()), startTime: try #require(start.flatMap { Int64($0) }),
            bootID: MachineClock.readBootID())
    }

    @Test func instantsInSentencesAreOfThePersonsClock() async throws {
        try await World.with(["auth-service"]) { world in
            let lost = "2026-03-02T07:05:00.250Z: its data is gone"
            let standIn = try StandIn(
                .notifier, world, state: .degraded, degradedBy: [lost], notActing: [lost])
            defer { standIn.close() }
            let shown = "2026-03-02 07:05:00: its data is gone"
            let status = try await world.command("status")
            #expect(status.lines.first == "notifier does not act: \(shown)")
            #expect(status.lines.contains { $0.hasPrefix("notifier ") && $0.hasSuffix("  " + shown) })
            let doctor = try await world.command("doctor")
            #expect(doctor.output.contains("notifier: does not act: \(shown)"), "\(doctor)")
            #expect(!(status.output + doctor.output).contains("2026-03-02T07:05:00"))
        }
    }

    @Test func aStoppedServiceCostsASecondAndIsDown() async throws {
        try await World.with(["auth-service"]) { world in
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            try world.process("auth-service").signal(SIGSTOP)
            let outcome = try await world.command("status", "--json")
            #expect(outcome.status == 69)
            let services = try #require(try outcome.json()["services"]?.arrayValue)
            #expect(services[0]["state"] == "down" && services[0]["last_error"] == "does not answer")
            #expect(services[1...5].allSatisfy { $0["state"] == "ready" })
            try world.process("auth-service").signal(SIGCONT)
        }
    }

    /// As after many have tried to reach it: connecting would wait until it goes on.
    @Test func aStoppedServiceWhoseQueueIsFullIsDownToo() async throws {
        try await World.with(["auth-service"]) { world in
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            try world.process("auth-service").signal(SIGSTOP)
            let waiting = Self.fillQueue(of: world.runtime.socketPath(named: "auth-service", .requests))
            defer { waiting.forEach { close($0) } }
            #expect(waiting.count > 1)
            let outcome = try await world.command("status", "--json")
            #expect(outcome.status == 69)
            #expect(try outcome.json()["services"]?[0]?["last_error"] == "does not answer")
            try world.process("auth-service").signal(SIGCONT)
        }
    }

    /// Connects until there is no more room.
    private static func fillQueue(of path: String) -> [Int32] {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        var waiting: [Int32] = []
        while waiting.count < 10_000 {
            let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
            waiting.append(probe)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result != 0 { break }
        }
        return waiting
    }

    @Test func repairSaysThatAStoppedServiceIsThere() async throws {
        try await World.with(["auth-service"]) { world in
            try world.process("auth-service").signal(SIGSTOP)
            let outcome = try await world.command("repair", "auth-service")
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains("auth-service is there but does not answer"), "\(outcome)")
            try world.process("auth-service").signal(SIGCONT)
        }
    }

    @Test func waitingForTheServicesEndsWithTheLastOfThem() async throws {
        try await World.with([]) { world in
            try world.runtime.prepare()
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            let waiting = try world.launch(
                "waiting", [World.products + "/screentime", "status", "--wait", "60"])
            try await world.start("auth-service")
            #expect(try await waiting.exit() == 0)
        }
    }

    @Test func waitingIsLongerThanLooking() async throws {
        try await World.with(["auth-service"]) { world in
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            try world.process("auth-service").signal(SIGSTOP)
            let waiting = try world.launch(
                "waiting", [World.products + "/screentime", "status", "--wait", "60"])
            // Two that look, one after the other, have given up before it is woken.
            #expect(try await world.command("status").status == 69)
            #expect(try await world.command("status").status == 69)
            try world.process("auth-service").signal(SIGCONT)
            #expect(try await waiting.exit() == 0)
        }
    }

    @Test func doctorSaysWhatIsMissingAndWhatToDo() async throws {
        try await World.with(["auth-service"]) { world in
            let outcome = try await world.command("doctor", "--json")
            #expect(outcome.status == 1)
            let findings = try #require(try outcome.json()["findings"]?.arrayValue)
            func finding(_ check: String) -> JSONValue? {
                findings.first { $0["check"]?.stringValue == check }
            }
            #expect(finding("auth-service")?["state"] == "ok")
            #expect(finding("shield-service")?["state"] == "error")
            #expect(finding("display")?["state"] == "warning")
            #expect(finding("runtime directory")?["state"] == "ok")
            #expect(finding("time zones")?["state"] != "error")
            for finding in findings where finding["state"] != "ok" {
                #expect(finding["remedy"]?.stringValue?.isEmpty == false)
            }
            chmod(world.runtime.path, 0o755)
            let open = try await world.command("doctor")
            #expect(open.output.contains("is open to other users"))
        }
    }

    @Test func doctorIsContentWhenNothingIsWrong() async throws {
        try await World.with(["auth-service"]) { world in
            let standIns = try Self.others.map { try StandIn($0, world) }
            defer { standIns.forEach { $0.close() } }
            let outcome = try await world.command(
                "doctor", environment: ["DISPLAY": ":9", "TZ": "Europe/Berlin"])
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}
