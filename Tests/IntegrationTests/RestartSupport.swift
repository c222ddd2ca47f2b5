import Contract
import Foundation
import Glibc
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Time
import Units

/// All six services in one world, and a stream of observations that
/// continues whatever happens to them.
@LoopActor final class RestartWorld {
    let world: World
    private var written = 0
    private var streamStops = false
    private(set) var sent: [UsageChange] = []
    private(set) var lastSequence: Int64 = 0

    init(_ world: World) { self.world = world }

    func start(_ service: ServiceName) async throws {
        try await world.start(service.rawValue)
    }

    /// Kills a service at a point of its next turn that writes, and starts it again.
    func kill(_ service: ServiceName, at point: String) async throws {
        try world.arm(point, of: service)
        async let done: Void = stir(service)
        let status = try await world.process(service.rawValue).exit()
        #expect(status == 128 + SIGKILL, "\(service.rawValue) at \(point)")
        try await start(service)
        try await done
    }

    /// Makes a service write: those that only follow activity-center do so by the stream.
    private func stir(_ service: ServiceName) async throws {
        written += 1
        let name = "n\(written)"
        switch service {
        case .auth: _ = try await world.call(MemberAdd.self, .init(name: name), idempotencyKey: name)
        case .shield:
            let setting = Setting(key: "shield.applications", value: [.string(name)])
            _ = try await world.call(
                SettingsWrite.self, .init(store: "restart", settings: [setting]), idempotencyKey: name)
        case .notifier:
            _ = try await world.call(
                NotificationPost.self, .init(identifier: name, title: name), idempotencyKey: name)
        case .activity, .report, .monitor: break
        }
    }

    /// Sends batches under keys of their own, one after the other, each until it is answered.
    func stream(_ changes: [UsageChange], seed: UInt64) -> Task<Void, any Error> {
        Task { @LoopActor in
            for (number, batch) in ActivityData.batches(changes, 1...12, seed: seed).enumerated() {
                guard !streamStops else { return }
                let answer = try await world.observe(
                    batch, device: "phone", model: "android", key: "batch \(number)")
                #expect(answer.accepted == Int64(batch.count) && answer.duplicates == 0)
                sent += batch
                lastSequence = answer.sequence
            }
            Issue.record("the stream is too short")
        }
    }

    func stopStream() { streamStops = true }
}

extension World {
    /// Waits until no service has anything left to do or to apply.
    func settle() async throws {
        let end = MonotonicClock.now + 180_000
        var heads: [ServiceName: Int64] = [:]
        var left = ["not asked yet"]
        while !left.isEmpty {
            guard MonotonicClock.now < end else { throw Overdue("not settled: \(left)") }
            left = []
            for service in ServiceName.allCases {
                let health = try await health(service)
                heads[service] = health.head
                if health.queue != 0 { left.append("\(service.rawValue) has a queue of \(health.queue)") }
                for log in health.follows
                where log.sequence != heads[log.service] ?? log.head || !log.connected {
                    left.append("\(service.rawValue) is at \(log.sequence) of \(log.service.rawValue)")
                }
            }
        }
    }

    /// Follows every service from the beginning of its log.
    func recordAll() throws -> [ServiceName: EventRecorder] {
        try Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, try record($0)) })
    }

    /// Nothing lost, nothing published twice: each recorder received 1, 2, 3 … up to its owner's head.
    func expectGapless(_ recorders: [ServiceName: EventRecorder]) async throws {
        for (service, recorder) in recorders {
            let head = try await health(service).head
            guard head > 0 else { continue }
            let sequences = try await recorder.wait(for: "sequence \(head)") { recorder -> [Int64]? in
                recorder.events.last?.sequence ?? 0 >= head ? recorder.events.map(\.sequence) : nil
            }
            #expect(sequences == Array(1...head), "\(service.rawValue)")
            #expect(recorder.resets == 0 && recorder.forks.isEmpty, "\(service.rawValue)")
        }
    }

    /// The log of intervals and the report are what the rules make of everything sent.
    func expectUsage(_ sent: [UsageChange], _ recorder: EventRecorder, through sequence: Int64) async throws {
        let told = ReplayedUsage(try recorder.all(UsageRecorded.self))
        #expect(told == ReplayedUsage(changes: sent, device: "phone"))
        var machine = UsageMachine()
        let total = IntervalSet(machine.apply(sent.sorted()).uses.map(\.interval)).total
        let report = try await call(
            ReportQuery.self, .init(from: "2023-11-13", to: "2023-11-20", zone: "UTC", by: .total),
            notBefore: [Position(.activity, sequence)])
        #expect(report.rows.reduce(0) { $0 + $1.value } == total.count)
        #expect(total > 0)
    }
}

extension World {
    /// The service is killed when it reaches the point next; see ``FaultPoint``.
    func arm(_ point: String, of service: ServiceName) throws {
        let descriptor = creat("\(directory)/fault/\(point)-\(service.rawValue)", 0o600)
        guard descriptor >= 0 else { throw Overdue("no file for the fault: errno \(errno)") }
        close(descriptor)
    }
}
