import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import ServiceKit
import Units

/// Extension programs of a simulation: what they do for each callback is decided by their code here, and when
/// they fail by the seed. Their journals are on no disk, and are never lost.
@LoopActor final class SimulatedPrograms {
    /// Identifies what a callback reports, whatever attempt it is.
    struct CallbackKey: Hashable, Comparable, CustomStringConvertible {
        var program: String
        var activity: String
        var registered: Instant
        var occurrence: Instant
        var callback: String
        var event: String

        static func < (one: Self, other: Self) -> Bool { one.description < other.description }

        var description: String {
            "\(program) \(activity) \(registered) \(occurrence) \(callback) \(event)"
        }
    }

    /// One in so many callbacks meets each kind of failure; 0 for none.
    var failsOneIn: UInt64 = 40
    let simulator: Simulator
    private(set) var counts: [String: Int] = [:]
    /// How often each callback returned, as the programs know.
    private(set) var returned: [CallbackKey: Int] = [:]
    private var lastPid: Int32 = 1_000
    private var journals: [String: (delivery: Int64, attempt: Int64)] = [:]

    init(_ simulator: Simulator) { self.simulator = simulator }

    func count(_ what: String) { counts[what, default: 0] += 1 }

    func takePid() -> Int32 {
        lastPid += 1
        return lastPid
    }

    /// The callback returned, and the program noted that before it answers.
    /// - Parameter hasWritten: false: a service did not accept what it wrote, and it must be called again; as
    ///   with real programs, it is not noted then.
    func note(_ program: String, _ params: CallbackParams, hasWritten: Bool) {
        guard hasWritten else { return count("callbacks without effect") }
        journals[program] = (params.delivery, params.attempt)
        let about = params.about
        let key = CallbackKey(
            program: program, activity: about.activity, registered: about.registered ?? 0,
            occurrence: about.occurrenceStart, callback: params.callback.rawValue, event: about.event ?? "")
        returned[key, default: 0] += 1
        count("callbacks returned")
    }

    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        journals[id].map { $0 == (delivery, attempt) } ?? false
    }

    /// The runner of the programs of one host.
    func runner(of process: SimulatedProcess) -> any ProgramRunner { Runner(self, process) }

    static let limits: ExtensionRecord = {
        var record = ExtensionRecord(
            id: BuiltInClient.limits + ".monitor", client: BuiltInClient.limits, point: .monitor,
            path: "/simulated/limits", executable: "/simulated/limits/program")
        record.withoutBubblewrap = true
        return record
    }()

    @LoopActor private final class Runner: ProgramRunner {
        let trouble: ServiceError? = nil
        let confinement: ProgramConfinement? = ProgramConfinement()
        private let programs: SimulatedPrograms
        private weak var host: SimulatedProcess?

        init(_ programs: SimulatedPrograms, _ host: SimulatedProcess) {
            self.programs = programs
            self.host = host
        }

        func check(_ program: ExtensionRecord) {}
        func isVerified(_ program: ExtensionRecord) -> Bool { true }
        func verify(_ program: ExtensionRecord) {}
        func find(_ program: ExtensionRecord) {}
        func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
            programs.hasReturned(id, delivery: delivery, attempt: attempt)
        }
        func builtIn() -> [(id: String, record: Result<ExtensionRecord, ServiceError>)] {
            [(SimulatedPrograms.limits.id, .success(SimulatedPrograms.limits))]
        }

        func start(
            _ program: ExtensionRecord, for purpose: HostedPurpose, _ budget: ExtensionBudget,
            _ events: RunningProgramEvents
        ) -> any RunningProgram {
            programs.count("programs started")
            return SimulatedProgram(program, programs, host, events)
        }
    }
}

/// One running program: it shields what an event names when its threshold is reached, and clears its store
/// when the interval starts or ends.
@LoopActor final class SimulatedProgram: RunningProgram {
    let pid: Int32
    let lines: [String] = []
    let confinement: ProgramConfinement? = ProgramConfinement()
    let began: Milliseconds? = nil
    let home = "/simulated/home"
    let groups: [AppGroup] = []
    private let program: ExtensionRecord
    private let programs: SimulatedPrograms
    private weak var host: SimulatedProcess?
    private let events: RunningProgramEvents
    private var isRunning = true

    init(
        _ program: ExtensionRecord, _ programs: SimulatedPrograms, _ host: SimulatedProcess?,
        _ events: RunningProgramEvents
    ) {
        self.program = program
        self.programs = programs
        self.host = host
        self.events = events
        pid = programs.takePid()
    }

    func mark() {}
    func measure() -> MeasuredUse? { MeasuredUse(processor: 1, memoryBytes: 1 << 20) }

    func send(_ id: Int64, _ method: String, _ params: RawJSON, deadline: Milliseconds) {
        after { [self] in
            // A host asks for nothing else that has these parameters.
            guard method == Wire.callbackMethod, let callback = try? CallbackParams.decode(params.bytes)
            else {
                return events.answered(id, .success(RawJSON(encoding: Nothing())))
            }
            perform(callback, id)
        }
    }

    /// Later, in a turn of its host, if both still run.
    private func after(_ body: @escaping @LoopActor () -> Void) {
        let delay = programs.simulator.random.time(50_000...20_000_000)
        host?.after(delay) { [weak self] in if self?.isRunning == true { body() } }
    }

    /// What a callback writes into the store of its activity, instead of everything there; nil for nothing.
    static func settings(of callback: CallbackName, _ about: ActivityCallback) -> [Setting]? {
        switch callback {
        case .eventWillReachThresholdWarning, .intervalWillStartWarning, .intervalWillEndWarning: return nil
        case .intervalDidStart, .intervalDidEnd: return []
        case .eventDidReachThreshold:
            let apps = JSONValue.array((about.definition?.applications ?? []).map { .string($0) })
            return [Setting(key: "shield.applications", value: apps)]
        }
    }

    private func perform(_ params: CallbackParams, _ id: Int64) {
        if fails() { return end("it crashed before it did anything") }
        guard let settings = Self.settings(of: params.callback, params.about) else {
            return finish(params, id)
        }
        let about = params.about
        let write = SettingsWrite.Params(
            member: about.member, store: about.activity, settings: settings, clearAll: true)
        events.asked(ProgramRequest(method: SettingsWrite.name, params: RawJSON(encoding: write))) {
            [weak self] result in
            guard let self, isRunning else { return }
            after { [self] in
                if fails() { return end("it crashed after its call") }
                // As with Apple's setters, half of the callbacks do not find out that a write failed.
                if case .failure(let error) = result, programs.simulator.random.oneIn(2) {
                    return events.answered(id, .failure(error))
                }
                finish(params, id, hasWritten: result.isSuccess)
            }
        }
    }

    private func finish(_ params: CallbackParams, _ id: Int64, hasWritten: Bool = true) {
        programs.note(program.id, params, hasWritten: hasWritten)
        if fails() { return end("it crashed before it answered") }
        events.answered(id, .success(RawJSON(encoding: Nothing())))
    }

    private func fails() -> Bool {
        let oneIn = programs.failsOneIn
        guard oneIn > 0, programs.simulator.random.oneIn(oneIn) else { return false }
        programs.count("programs crashed")
        return true
    }

    private func end(_ reason: String) {
        guard isRunning else { return }
        isRunning = false
        host?.after(programs.simulator.random.time(10_000...5_000_000)) { [events] in
            events.ended(ProcessEnd(reason: reason, fault: .program))
            events.cleared(nil)
        }
    }

    func finish() { end("it was no longer needed") }
    func destroy(_ reason: String) { end(reason) }
    func destroy(_ excess: Excess) {
        guard isRunning else { return }
        events.exceeded(excess)
        end(excess.sentence)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
