import Units
import Contract
import Loop
import Testing

@testable import DesktopCore

/// The agent's rules that need no display.
@Suite struct AgentRulesTests {
    @Test func optionsAreCheckedAndSayWhatToDo() throws {
        let options = try AgentOptions(
            arguments: ["--display", ":7"],
            environment: ["DISPLAY": ":1", "SCREENTIME_IDLE_SECONDS": "5", "DBUS_SESSION_BUS_ADDRESS": ""])
        #expect(options.display == ":7" && options.idleThreshold == 5_000 && options.sessionBus == nil)
        #expect(try AgentOptions(arguments: [], environment: ["DISPLAY": ":1"]).idleThreshold == 60_000)
        #expect(refusal([], [:]) == .unavailable)
        #expect(refusal(["--display"], ["DISPLAY": ":1"]) == .invalidArgument)
        #expect(refusal(["--guard"], ["DISPLAY": ":1"]) == .invalidArgument)
        for text in ["0", "-1", "soon", "86401"] {
            #expect(refusal([], ["DISPLAY": ":1", "SCREENTIME_IDLE_SECONDS": text]) == .invalidArgument)
        }
    }

    @Test func checksByThemselvesCanBeSwitchedOff() throws {
        func interval(_ text: String) throws -> Milliseconds {
            let environment = ["DISPLAY": ":1", "SCREENTIME_ENFORCEMENT_SECONDS": text]
            return try AgentOptions(arguments: [], environment: environment).enforcementInterval
        }
        #expect(try interval("") == .day && interval("0") == 0 && interval("604800") == .days(7))
        for text in ["-1", "often", "604801"] {
            #expect(
                refusal([], ["DISPLAY": ":1", "SCREENTIME_ENFORCEMENT_SECONDS": text]) == .invalidArgument)
        }
    }

    private func refusal(_ arguments: [String], _ environment: [String: String]) -> ErrorName? {
        do throws(ServiceError) {
            _ = try AgentOptions(arguments: arguments, environment: environment)
            return nil
        } catch { return error.name }
    }

    @Test func stampsOfOneMillisecondAreOrderedAndUsesTouch() {
        var clock = ObservationClock(bootID: "b")
        let first = clock.stamp(.idle, at: 1_000, boottime: 50)
        let second = clock.stamp(.active, at: 1_000, boottime: 50)
        // The wall clock's fraction crossed before the boot clock's did.
        let third = clock.stamp(.idle, at: 1_001, boottime: 50)
        let fourth = clock.stamp(.active, at: 1_004, boottime: 55)
        #expect([first, second, third, fourth].map(\.at) == [1_000, 1_000, 1_000, 1_005])
        #expect([first, second, third, fourth].map(\.ordinal) == [nil, 1, 2, nil])
        let stepped = clock.stamp(.idle, at: 9_000, boottime: 60)
        #expect(stepped.at == 9_000, "the clock was set")
        #expect(stepped.boottime == 60 && stepped.bootID == "b")
    }

    @LoopActor private func entry(_ kind: ObservationKind, _ at: Instant) -> ObservationQueue.Entry {
        ObservationQueue.Entry(observation: Observation(at: at, kind: kind), trace: .root())
    }

    @Test func aFullQueueGivesUpSignsOfLifeFirst() async {
        await fillQueue()
    }

    @LoopActor private func fillQueue() {
        var queue = ObservationQueue(entriesMax: 3)
        let kinds: [ObservationKind] = [.focus, .alive, .idle]
        for (index, kind) in kinds.enumerated() {
            #expect(queue.append(entry(kind, Instant(Milliseconds(index)))) == nil)
        }
        let batch = Array(queue.batch(2))
        #expect(queue.append(entry(.active, 3))?.kind == .alive)
        #expect(queue.append(entry(.focus, 4))?.at == 0, "without one, the oldest")
        queue.remove(batch)
        #expect(queue.entries.map(\.observation.at) == [2, 3, 4], "what had to go is not removed twice")
        queue.remove(Array(queue.batch(3)))
        #expect(queue.isEmpty)
    }

    @Test func theGuardUnderstandsLinesCutAnywhere() {
        let one = ProcessIdentity(pid: 4_000_001, startTime_ticks: 12)
        let two = ProcessIdentity(pid: 4_000_002, startTime_ticks: 13)
        let text =
            [one, two].map { GuardState.line("hold", $0) }.joined() + GuardState.line("free", one)
            + "nonsense\nhold x y\n"
        var state = GuardState()
        for byte in text.utf8 { state.receive([byte]) }
        #expect(state.held == [two] && !state.isDismissed)
        state.receive(Array("by".utf8))
        #expect(!state.isDismissed)
        state.receive(Array("e\n".utf8))
        #expect(state.isDismissed)
    }

    @Test func aDeathNoteIsReadAsItWasWritten() {
        let note = DeathRecord.now()
        #expect(DeathRecord(text: note.text) == note)
        #expect(note.observation.kind == .sensorLost && note.observation.at == note.at)
        for text in ["", "1 2", "a b c", "1 2 3 4"] { #expect(DeathRecord(text: text) == nil) }
    }

    @Test func judgementsSayWhichAppsAreShielded() {
        func app(_ id: String) -> AppIdentity {
            AppIdentity(id: id, name: id, categories: [], resolvedBy: .startupClass, executablePath: nil)
        }
        let answers = [
            ShieldJudge.Result(
                judgements: [
                    ShieldJudgement(subject: "chess", known: true, shield: "chess"),
                    ShieldJudgement(subject: "doom", known: false, shield: "games"),
                    ShieldJudgement(subject: "unknown", known: false, shield: "all"),
                ], programs: ["exe:/opt/run"], programsLeftOut: 2),
            ShieldJudge.Result(judgements: [ShieldJudgement(subject: "mail", known: true)]),
        ]
        var judged = ShieldJudgements(answers)
        #expect(judged.shield(of: app("chess")) == "chess" && judged.shield(of: app("doom")) == "games")
        #expect(judged.shield(of: app("mail")) == nil && judged.has(app("mail")))
        #expect(judged.shield(of: app("go")) == nil && !judged.has(app("go")), "it was not judged yet")
        #expect(judged.unknown == ["doom", "unknown"])
        #expect(judged.programs == ["exe:/opt/run"] && judged.programsLeftOut == 2)
        #expect(judged.shield(of: app("exe:/opt/run")) == "exe:/opt/run")
        #expect(judged.isAnyShielded && !ShieldJudgements().isAnyShielded)
        // A name that is too long to be asked about does not escape a rule about everything.
        let long = app("exe:/" + String(repeating: "x", count: 600))
        #expect(judged.shield(of: long) == "all")
        // Until an unknown app is reported it stays what it was.
        judged.keep(["doom"], as: ShieldJudgements())
        #expect(judged.shield(of: app("doom")) == nil)
        judged.keep(["mail"], as: ShieldJudgements(answers))
        #expect(judged.has(app("mail")) && judged.shield(of: app("chess")) == "chess")
    }
}
