import ActivityCore
import AuthCore
import Bus
import CSodium
package import Contract
package import Loop
import MonitorCore
import NotifierCore
import ReportCore
import ServiceKit
import ShieldCore
package import SimulatedDisk
import Store
package import Units

/// The six services of one machine on a simulated bus, disk and clock, with whatever kills and restarts them.
@LoopActor package final class SimulatedSystem {
    /// How often things go wrong; each is one in so many chances, 0 for never.
    package struct Faults: Sendable {
        /// Of the steps: a service is killed, a connection is cut, the power fails.
        package var killOneIn: UInt64 = 3_000
        package var cutOneIn: UInt64 = 1_500
        package var powerCutOneIn: UInt64 = 20_000
        /// Of the fault points in a turn: the process dies there.
        package var faultPointOneIn: UInt64 = 400
        /// Of the writes and syncs of a store: the process dies there, or the operation fails.
        package var diskDeathOneIn: UInt64 = 4_000
        package var diskErrorOneIn: UInt64 = 4_000
        /// Of the reads: files are opened, examined, read.
        package var readErrorOneIn: UInt64 = 4_000
        /// Of the writes of a store: the disk is full for a while.
        package var diskFullOneIn: UInt64 = 20_000
        package var programFailsOneIn: UInt64 = 40
        /// Of the deaths of report-service: it stays away for up to twelve hours. No other service needs it.
        package var longAbsenceOneIn: UInt64 = 0
        package init() {}

        /// Nothing goes wrong.
        package static var none: Faults {
            var faults = Faults()
            (faults.killOneIn, faults.cutOneIn, faults.powerCutOneIn) = (0, 0, 0)
            (faults.faultPointOneIn, faults.diskDeathOneIn) = (0, 0)
            (faults.diskErrorOneIn, faults.readErrorOneIn) = (0, 0)
            (faults.diskFullOneIn, faults.programFailsOneIn, faults.longAbsenceOneIn) = (0, 0, 0)
            return faults
        }
    }

    package let simulator: Simulator
    package let network: SimulatedNetwork
    package let disk: SimulatedDisk
    let programs: SimulatedPrograms
    let lines = LogLines()
    package var faults = Faults() { didSet { applyFaults() } }
    /// Numbers of faults by kind.
    package private(set) var counts: [String: Int] = [:]
    /// What must not happen and did.
    package private(set) var violations: [String] = []
    private let configuration: Configuration
    private let hasShortLogs: Bool
    private var running: [ServiceName: Running] = [:]
    /// Services before they run, by name, and those that are no services.
    private var starting: [ServiceName: SimulatedProcess] = [:]
    private var others: [SimulatedProcess] = []
    private var diskIsFullUntil: Int64 = 0
    /// Owners of files that die before they write again.
    private var doomed: Set<String> = []
    private var started: [Started] = []

    private struct Started {
        weak var service: Service?
    }

    private struct Running {
        let process: SimulatedProcess
        let program: any ServiceProgram
    }

    /// - Parameters:
    ///   - directory: an empty directory of the machine, for files of extension programs.
    ///   - hasShortLogs: logs keep so few events that a service that was away for hours needs a snapshot.
    package init(
        seed: UInt64, start: Instant, directory: String, hasShortLogs: Bool = false
    ) throws {
        simulator = Simulator(seed: seed, start: start)
        network = SimulatedNetwork(simulator)
        let simulator = simulator
        disk = SimulatedDisk(
            now: { LoopActor.assumeOnLoop { simulator.now } },
            random: { LoopActor.assumeOnLoop { simulator.random.next() } })
        programs = SimulatedPrograms(simulator)
        self.hasShortLogs = hasShortLogs
        configuration = try Configuration(environment: [
            "HOME": directory, "SCREENTIME_RUNTIME_DIR": directory + "/run",
            "SCREENTIME_STATE_DIR": directory + "/state", "SCREENTIME_TEST_PROGRAMS": "1",
        ])
        try configuration.prepareDirectories(of: nil)
        try ClockPage.create(in: configuration.stateDirectory, at: start)
        if let page = try ClockPage.find(in: configuration.stateDirectory, writable: true) {
            page.becomeWallTime()
            simulator.onTime = { page.move(to: $0) }
        }
        seedIDs(simulator.random.next())
        SimulatedDisk.seedSQLite(UInt32(truncatingIfNeeded: simulator.random.next()) | 1)
        applyFaults()
        disk.fault = { [weak self] operation in LoopActor.assumeOnLoop { self?.fault(of: operation) } }
        disk.died = { [weak self] owner in
            LoopActor.assumeOnLoop { self?.died(ServiceName(rawValue: owner), because: "deaths at the disk") }
        }
    }

    private func applyFaults() { programs.failsOneIn = faults.programFailsOneIn }

    func count(_ what: String) { counts[what, default: 0] += 1 }
    func violate(_ sentence: String) { violations.append(sentence) }

    /// Faults of all kinds so far.
    package var allCounts: [String: Int] {
        counts.merging(network.counts) { $0 + $1 }.merging(programs.counts) { $0 + $1 }
    }

    // MARK: life of the services

    package func startAll() { ServiceName.startOrder.forEach(start) }

    func program<P: ServiceProgram>(_ type: P.Type) -> P? { running[P.name]?.program as? P }

    /// Those that run, sorted by name.
    var services: [Service] {
        running.values.map(\.program.service).sorted { $0.name.rawValue < $1.name.rawValue }
    }

    package var isComplete: Bool { running.count == ServiceName.startOrder.count }

    /// A process that is no service.
    func newProcess(_ name: String) -> SimulatedProcess {
        let process = SimulatedProcess(name, simulator)
        others.append(process)
        return process
    }

    func start(_ name: ServiceName) {
        guard running[name] == nil else { return }
        let process = SimulatedProcess(name.rawValue, simulator)
        starting[name] = process
        defer { starting[name] = nil }
        var configuration = configuration
        // The members seldom change.
        // More than the requests for more time that expire at one instant.
        if hasShortLogs { configuration.logEventsKept = name == .auth ? 6 : 30 }
        let platform = SimulatedPlatform(configuration, process, network, disk, lines) {
            [weak self, weak process] _ in
            guard let self, let process, process.isAlive, faults.faultPointOneIn > 0,
                simulator.random.oneIn(faults.faultPointOneIn)
            else { return }
            died(name, because: "deaths at a fault point")
        }
        do {
            try process.run {
                let program = try make(name, on: platform, process)
                running[name] = Running(process: process, program: program)
                started.append(Started(service: program.service))
                try program.start()
                if let unreadable = program.service.degradedBy(Service.unreadableKey) { violate(unreadable) }
            }
        } catch {
            refused(name, process, ServiceError(anything: error))
        }
    }

    private func make(
        _ name: ServiceName, on platform: any Platform, _ process: SimulatedProcess
    ) throws -> any ServiceProgram {
        func service(_ program: any ServiceProgram.Type) throws -> Service {
            try Service(name, on: platform, migrations: program.migrations, records: program.records)
        }
        let runner = programs.runner(of: process)
        return switch name {
        case .auth: try AuthService(try service(AuthService.self))
        case .activity: try ActivityCenter(try service(ActivityCenter.self))
        case .shield: try ShieldService(try service(ShieldService.self), runner: runner)
        case .monitor: try MonitorService(try service(MonitorService.self), runner: runner)
        case .report: try ReportService(try service(ReportService.self), runner: runner)
        case .notifier:
            NotifierService(try service(NotifierService.self), channel: desktop(process))
        }
    }

    private func desktop(_ process: SimulatedProcess) -> SimulatedDesktop {
        SimulatedDesktop(process) { [weak self, weak process] sentence in
            // What a dead process still does has no effect.
            if process?.isAlive == true { self?.violate(sentence) }
        }
    }

    /// A service did not start. A store that is damaged by nothing but crashes is a fault of ours.
    private func refused(_ name: ServiceName, _ process: SimulatedProcess, _ error: ServiceError) {
        if process.isAlive {
            count("failed starts")
            if error.name == .storageDamaged || error.name == .internalError {
                violate("\(name.rawValue) does not start: \(error.name.rawValue) \(error.message)")
            }
            died(name, process: process, because: nil)
        }
    }

    /// Kills a service at this very point.
    package func kill(_ name: ServiceName) { died(name, because: "kills") }

    private func died(_ name: ServiceName?, process: SimulatedProcess? = nil, because kind: String?) {
        guard let name else { return }
        let process = process ?? running[name]?.process ?? starting[name]
        guard let process, process.isAlive else { return }
        if let kind { count(kind) }
        let program = running.removeValue(forKey: name)?.program
        process.die()
        disk.processDied(name.rawValue)
        simulator.note("death", name.rawValue.utf8.count)
        // Its objects may be in the middle of a turn; they end when that is over, without any effect.
        simulator.after(0) { program?.service.close() }
        simulator.after(pauseBeforeRestart(of: name)) { [weak self] in self?.start(name) }
    }

    private func pauseBeforeRestart(of name: ServiceName) -> Int64 {
        let oneIn = faults.longAbsenceOneIn
        guard oneIn > 0, name == .report, simulator.random.oneIn(oneIn) else {
            return simulator.random.time(10_000_000...3_000_000_000)
        }
        count("long absences")
        return simulator.random.time(3_000_000_000...43_200_000_000_000)
    }

    /// Kills and restarts all services.
    package func restartAll() { ServiceName.startOrder.forEach(kill) }

    /// The power fails: every process dies, and what was not synced may be lost.
    package func cutPower() {
        count("power cuts")
        for name in ServiceName.startOrder { died(name, because: nil) }
        disk.powerCut(using: &simulator.random)
    }

    /// Ends every process, and what they still had to do: nothing of this system runs after that.
    package func close() {
        faults = .none
        (network.faults.slowOneIn, network.faults.lossOneIn) = (0, 0)
        for one in running.values {
            one.process.die()
            one.program.service.close()
        }
        for process in others { process.die() }
        running = [:]
        simulator.clear()
        while Reactor.runJobs() {}
    }

    /// The services that nothing released although they ended. A run of hours would have no room for them.
    package var unreleased: [String] {
        started.compactMap(\.service?.name).map { "\($0.rawValue) ended and was never released" }
    }

    // MARK: faults

    /// One step, and perhaps a fault after it.
    package func step() -> Bool {
        guard simulator.step() else { return false }
        func happens(_ oneIn: UInt64) -> Bool { oneIn > 0 && simulator.random.oneIn(oneIn) }
        if happens(faults.killOneIn) {
            let names = ServiceName.startOrder
            kill(names[simulator.random.below(names.count)])
        }
        if happens(faults.cutOneIn) { network.cutOne() }
        if happens(faults.powerCutOneIn) { cutPower() }
        return true
    }

    private func fault(of operation: DiskOperation) -> DiskFault? {
        func happens(_ oneIn: UInt64) -> Bool { oneIn > 0 && simulator.random.oneIn(oneIn) }
        switch operation.kind {
        case .open, .examine, .read:
            guard happens(faults.readErrorOneIn) else { return nil }
            count("read errors")
            return .io
        case .write, .truncate, .sync: break
        case .create, .syncDirectory, .rename, .remove, .lock, .mapMemory: return nil
        }
        if doomed.remove(operation.owner) != nil { return .dieBefore }
        if simulator.nowNs < diskIsFullUntil, operation.kind == .write { return .full }
        if happens(faults.diskDeathOneIn) { return simulator.random.oneIn(2) ? .dieBefore : .dieAfter }
        if happens(faults.diskErrorOneIn) {
            count("disk errors")
            if operation.kind == .sync, simulator.random.oneIn(2) { giveUp(operation.owner) }
            return .io
        }
        guard happens(faults.diskFullOneIn) else { return nil }
        count("full disks")
        diskIsFullUntil = simulator.nowNs + simulator.random.time(0...20_000_000_000)
        return .full
    }

    /// A machine that breaks: after a failed sync its process dies before it writes again, and some time
    /// later the power fails. So the process after it begins with what no sync wrote.
    private func giveUp(_ owner: String) {
        doomed.insert(owner)
        simulator.after(simulator.random.time(0...1_800_000_000_000)) { [weak self] in
            guard let self, faults.powerCutOneIn > 0 else { return }
            cutPower()
        }
    }
}
