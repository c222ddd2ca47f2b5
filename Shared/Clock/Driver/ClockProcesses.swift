import Bus
import Contract
import Glibc
import Loop
import ServiceKit
import Units

/// The processes of one instance that use its clock, found by their locks, with connections to them.
@LoopActor final class ClockProcesses {
    /// All names, in the order in which they act at one instant.
    nonisolated static let names = ServiceName.startOrder.map(\.rawValue) + [AgentName.desktopAgent]

    /// State of a process, determined by its lock and the kernel.
    enum Presence: Equatable {
        /// It never ran here, or exited normally.
        case absent
        /// It runs: it holds its lock.
        case running(pid: Int64)
        /// It ended without releasing its lock normally.
        case killed(pid: String)
        /// It holds its lock and is stopped by a signal.
        case stopped(pid: Int64)
    }

    private let runtime: RuntimeDirectory
    private let tracer: Tracer
    private var clients: [String: RequestClient] = [:]

    init(_ runtime: RuntimeDirectory, tracer: Tracer) {
        self.runtime = runtime
        self.tracer = tracer
    }

    func close() { clients.values.forEach { $0.close() } }

    func presence(of name: String) -> Presence { presence(of: name, LockTable()) }

    private func presence(of name: String, _ locks: LockTable) -> Presence {
        let path = runtime.lockPath(named: name)
        if let pid = locks.holder(of: path) {
            return Self.isStopped(pid) ? .stopped(pid: pid) : .running(pid: pid)
        }
        let left = readWord(path)
        guard let pid = Int64(left) else { return .absent }
        // The kernel's table is read in parts, and concurrent changes can hide an entry.
        guard LockTable.hasOpen(path, pid) else { return .killed(pid: left) }
        return Self.isStopped(pid) ? .stopped(pid: pid) : .running(pid: pid)
    }

    /// Processes that belong to the system: that run, or were killed.
    func belonging() -> [String] {
        let locks = LockTable()
        return Self.names.filter { presence(of: $0, locks) != .absent }
    }

    /// Processes that hold their locks.
    func running() -> [String] {
        Self.names.filter { name in
            switch presence(of: name) {
            case .running, .stopped: true
            case .absent, .killed: false
            }
        }
    }

    /// Forgets processes that were killed before, so that they are not reported as missing now.
    func forgetKilled() {
        for name in Self.names {
            // A process that is just starting holds its lock and writes its pid into it.
            if case .killed = presence(of: name) { truncate(runtime.lockPath(named: name), 0) }
        }
    }

    // MARK: asking

    /// Queries all at once; processes that do not answer in time are missing in the result.
    func ask(
        _ names: [String], _ wait: ClockWait, deadline: Milliseconds
    ) async throws(ServiceError) -> [String: ClockState] {
        let clients = try names.map { name throws(ServiceError) in (name, try client(name)) }
        guard !clients.isEmpty else { return [:] }
        let options = CallOptions(deadline: deadline)
        return await withCheckedContinuation { continuation in
            var states: [String: ClockState] = [:]
            var left = clients.count
            for (name, client) in clients {
                client.send(ClockStatus.self, wait, options: options) { result in
                    if case .success(let state) = result { states[name] = state.withoutTheInstant }
                    left -= 1
                    if left == 0 { continuation.resume(returning: states) }
                }
            }
        }
    }

    func tick(
        _ name: String, _ wait: ClockWait, deadline: Milliseconds
    ) async throws(ServiceError) -> ClockState {
        let options = CallOptions(deadline: deadline)
        return try await client(name).call(ClockTick.self, wait, options: options).withoutTheInstant
    }

    /// Gives up the callbacks that these extensions have not returned from.
    /// - Throws: `notFound` for an extension that is not installed.
    func skip(_ extensions: [String]) async throws(ServiceError) -> [Delivery] {
        let runner = try client(ServiceName.monitor.rawValue)
        var skipped: [Delivery] = []
        for id in extensions {
            let params = DeliverySkip.Params(program: id)
            let result = try await runner.call(DeliverySkip.self, params, options: CallOptions())
            if let delivery = result.delivery { skipped.append(delivery) }
        }
        return skipped
    }

    func enter(_ name: String) async throws(ServiceError) -> ClockState {
        try await client(name).call(ClockEnter.self, Nothing(), options: CallOptions())
    }

    private func client(_ name: String) throws(ServiceError) -> RequestClient {
        if let client = clients[name] { return client }
        do throws(SocketError) {
            let client = try RequestClient(toNamed: name, in: runtime, tracer: tracer)
            clients[name] = client
            return client
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    // MARK: the kernel's word

    /// The state letter of proc(5) after the name in parentheses: T is stopped by a signal.
    private static func isStopped(_ pid: Int64) -> Bool {
        let status = readText("/proc/\(pid)/stat")
        guard let end = status.lastIndex(of: ")") else { return false }
        return status[end...].dropFirst(2).first == "T"
    }

    private func readWord(_ path: String) -> String { String(readText(path).prefix { $0.isNumber }) }
}

extension ClockState {
    /// The state without its instant, to compare two rounds where the clock runs.
    fileprivate var withoutTheInstant: ClockState {
        var state = self
        state.now = 0
        return state
    }
}

/// The first 4 KiB of a file; empty if it cannot be read.
func readText(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
}
