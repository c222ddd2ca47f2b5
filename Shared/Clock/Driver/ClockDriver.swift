package import Bus
package import Contract
import FileAccess
package import Loop
package import ServiceKit
package import Units

/// Drives the virtual clock of one instance of the system from one due instant to the next, and advances only
/// when every process is idle. So everything happens in order, at its own instant, and the same way every
/// time.
///
/// Only one driver at a time moves the clock. If it dies, the clock stays at an intermediate instant, and the
/// next driver continues from there.
@LoopActor package final class ClockDriver {
    /// Real time without progress after which a process that is not idle is reported. It is shorter than the
    /// time a callback may take (30 s), so that one that hangs is reported before it is killed and retried.
    package nonisolated static let timeout: Milliseconds = 20_000
    /// Allowed instants: the years 1970 to 2199.
    package nonisolated static let instants: ClosedRange<Instant> = 0...7_258_118_399_999
    /// A process that has something due at the same instant more often than this makes no progress.
    static let ticksAtOneInstantMax = 10_000

    let configuration: Configuration
    let timeout: Milliseconds
    /// Extensions that are not waited for: a callback they do not return from is given up.
    private let skipping: [String]
    let processes: ClockProcesses
    private var lock: FileLock?
    /// Mapped once; the mapping lasts for the lifetime of the process.
    private var page: ClockPage?

    package init(
        _ configuration: Configuration, tracer: Tracer, timeout: Milliseconds = ClockDriver.timeout,
        skipping: [String] = []
    ) {
        self.configuration = configuration
        self.skipping = skipping
        self.timeout = timeout
        processes = ClockProcesses(configuration.runtime, tracer: tracer)
    }

    /// Closes the connections to all processes.
    package func close() { processes.close() }

    /// The virtual time; nil if there is no virtual clock.
    package var now: Instant? {
        get throws(ServiceError) { try findPage()?.now }
    }

    /// The result of moving the clock.
    package struct Drive: Equatable, Sendable {
        /// Virtual time before.
        package var from: Instant
        /// Virtual time after.
        package var now: Instant
        /// Number of due instants in between.
        package var instants: Int = 0
        /// Callbacks that were given up, in their state before.
        package var skipped: [Delivery] = []
    }

    // MARK: beginning

    /// Starts the virtual clock at an instant; if it runs already, moves it to there.
    /// - Throws: `conflict` if state exists already, with what exists; and as `advance`.
    package func start(at: Instant) async throws(ServiceError) -> Drive {
        try check(at)
        try takeLock()
        defer { lock = nil }
        let directory = configuration.stateDirectory
        if let page = try findPage() { return try await drive(page, to: at) }
        let running = processes.running()
        try checkEmpty(running)
        processes.forgetKilled()
        try await checkPristine(running)
        try makeDirectories(directory, mode: 0o700)
        try ClockPage.create(in: directory, at: at)
        try await enterVirtualClock(running)
        guard let page = try findPage() else {
            throw ServiceError(
                .storageFailed, "the virtual clock in '\(directory)' was removed again",
                remedy: "Other programs must not change the state directory.")
        }
        if !running.isEmpty { return try await drive(page, to: at) }
        return Drive(from: at, now: at)
    }

    /// Checks that services that do not run have left no state.
    private func checkEmpty(_ running: [String]) throws(ServiceError) {
        let known = Set(ClockProcesses.names)
        // A running system may have files beside its services' directories.
        let left = directoryEntries(configuration.stateDirectory).filter { entry in
            // A lock file contains no state.
            running.isEmpty
                ? entry != "logs" && !entry.hasSuffix(".lock")
                : known.contains(entry) && !running.contains(entry)
        }
        guard let first = left.sorted().first else { return }
        throw ServiceError(
            .conflict,
            "the state directory '\(configuration.stateDirectory)' is not empty: it has '\(first)'"
                + (known.contains(first) ? ", of a service that does not run" : ""),
            remedy: "The virtual clock starts on empty state: use a new SCREENTIME_STATE_DIR.")
    }

    private func checkPristine(_ running: [String]) async throws(ServiceError) {
        let states = try await IdleWait(processes, timeout: timeout).settle()
        for name in running {
            guard let holds = states[name]?.holds else { continue }
            throw ServiceError(
                .conflict, holds,
                remedy: "The virtual clock starts on empty state: use a new SCREENTIME_STATE_DIR.")
        }
    }

    /// Switches all processes to the virtual clock. A process that has received something since it was
    /// checked refuses; then the clock is removed, unless others use it already.
    private func enterVirtualClock(_ running: [String]) async throws(ServiceError) {
        for (index, name) in running.enumerated() {
            do throws(ServiceError) { _ = try await processes.enter(name) } catch {
                if index == 0 { ClockPage.remove(from: configuration.stateDirectory) }
                throw error
            }
        }
    }

    // MARK: moving

    /// Advances the clock, and returns when every process is idle.
    /// - Throws: `deadlineExceeded` naming the processes that are not idle: the clock stays at its instant,
    ///   and repeating continues; `notFound` without a virtual clock; `conflict` if the instant is past;
    ///   `alreadyExists` if another driver moves it.
    package func advance(to at: Instant) async throws(ServiceError) -> Drive {
        try check(at)
        try takeLock()
        defer { lock = nil }
        return try await drive(try writablePage(), to: at)
    }

    /// Advances the clock by a duration, as ``advance(to:)``.
    package func advance(by: Milliseconds) async throws(ServiceError) -> Drive {
        try takeLock()
        defer { lock = nil }
        let page = try writablePage()
        let (count, overflows) = page.now.milliseconds.addingReportingOverflow(by.count)
        let at = overflows ? Instant.max : Instant(milliseconds: count)
        try check(at)
        return try await drive(page, to: at)
    }

    func findPage() throws(ServiceError) -> ClockPage? {
        if page == nil { page = try ClockPage.find(in: configuration.stateDirectory, writable: true) }
        return page
    }

    private func writablePage() throws(ServiceError) -> ClockPage {
        guard let page = try findPage() else {
            throw ServiceError(
                .notFound, "this system uses the machine's clock",
                remedy: "Start a virtual clock on new directories with `screentime clock start-virtual`.")
        }
        return page
    }

    private func drive(_ page: ClockPage, to target: Instant) async throws(ServiceError) -> Drive {
        var drive = Drive(from: page.now, now: page.now)
        guard target >= page.now else {
            throw ServiceError(
                .conflict, "it is \(UTCTime.text(page.now)) already, and time does not go back",
                remedy: "Use a new state directory to start at another instant.")
        }
        let settling = IdleWait(processes, timeout: timeout, skipping: skipping)
        do throws(ServiceError) {
            // An extension that is not installed is an error now; a callback that hangs already is given up.
            drive.skipped = try await processes.skip(skipping)
            var states = try await settling.settle()
            while let due = states.values.compactMap(\.nextDue).min(), due <= target {
                page.move(to: max(due, page.now))
                drive.instants += 1
                try await reach(page, settling, &states)
            }
        } catch {
            var error = error
            error.message = "the clock stands at \(UTCTime.text(page.now)): \(error.message)"
            throw error
        }
        drive.skipped += settling.skipped
        page.move(to: target)
        try page.sync()
        drive.now = target
        return drive
    }

    /// Lets all processes do what is due at the page's instant, one after the other, each until all are idle,
    /// so that the order is the same every time.
    private func reach(
        _ page: ClockPage, _ settling: IdleWait, _ states: inout [String: ClockState]
    ) async throws(ServiceError) {
        var ticks = 0
        while let name = ClockProcesses.names.first(where: { states[$0]?.nextDue ?? .max <= page.now }) {
            ticks += 1
            guard ticks <= Self.ticksAtOneInstantMax else {
                throw ServiceError(
                    .deadlineExceeded,
                    "\(name) had something due at this instant \(ticks) times and makes no progress",
                    remedy: "This is a bug; see its log.")
            }
            let after = try await settling.tick(name, states)
            if let before = states[name], after.isStill, after.publishedNothing(since: before) {
                states[name] = after
            } else {
                states = try await settling.settle(after: states.merging([name: after]) { _, new in new })
            }
        }
    }

    // MARK: the lock

    private func takeLock() throws(ServiceError) {
        try configuration.runtime.prepare()
        do throws(ServiceError) {
            lock = try configuration.runtime.lock(named: "clock")
        } catch {
            guard error.name == .alreadyExists else { throw error }
            let holder = LockTable.holder(of: configuration.runtime.lockPath(named: "clock"))
            let pid = holder.map { " (pid \($0))" } ?? ""
            throw ServiceError(
                .alreadyExists, "another driver moves this clock now\(pid)",
                remedy: "Wait until it has finished.")
        }
    }

    private func check(_ at: Instant) throws(ServiceError) {
        guard Self.instants.contains(at) else {
            throw ServiceError(
                .invalidArgument, "the instant is not between the years 1970 and 2199",
                remedy: "Use an instant in between.")
        }
    }
}

extension ClockState {
    var isStill: Bool { open.isEmpty }

    /// Whether no other process can have received anything from it since then.
    func publishedNothing(since before: ClockState) -> Bool {
        pid == before.pid && head == before.head && sent == before.sent && taken == before.taken
            && follows == before.follows
    }
}
