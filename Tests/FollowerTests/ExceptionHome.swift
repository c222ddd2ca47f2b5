import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore

extension ExceptionTests {
    /// shield-service with a clock moved by hand, and somebody who publishes decisions as auth-service does.
    @LoopActor final class Home {
        let directory: TestDirectory
        let clock = HandClock()
        let auth: Service
        private(set) var core: ShieldService
        private(set) var judge: ClockJudge?
        let client: RequestClient
        var elapsed: Milliseconds = 1_000_000
        var boot: String? = "boot-a"

        init() throws {
            directory = try TestDirectory()
            let configuration = try directory.configuration()
            auth = try Service(.auth, configuration: configuration, migrations: [])
            auth.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
            try auth.start(answering: { _ in }, following: { _ in })
            core = try ShieldService(configuration, clock: clock)
            client = try RequestClient(
                to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
            try begin()
        }

        private func begin() throws {
            core.exceptions.clock.boot = { [weak self] in
                self.flatMap { home in home.boot.map { ($0, home.elapsed) } }
            }
            try core.start()
        }

        /// activity-center judges the clock, from now on.
        func startJudging(held: Milliseconds = 0) async throws {
            judge = try ClockJudge(try directory.configuration(), clock, held: held)
            try await waitForJudgement()
        }

        func waitForJudgement() async throws {
            try await untilTurn("activity-center judges") { [self] in core.exceptions.clock.isJudged }
        }

        func restart() throws {
            core.service.close()
            core = try ShieldService(try directory.configuration(), clock: clock)
            try begin()
        }

        func close() {
            client.close()
            core.service.close()
            judge?.close()
            auth.close()
        }

        /// Time passes, for all clocks.
        func pass(_ time: Milliseconds) {
            clock.now = clock.now + time
            elapsed = elapsed + time
            clock.fire()
        }

        func shield(_ key: String, _ value: JSONValue, in store: String = "test") async throws {
            _ = try await client.call(
                SettingsWrite.self,
                SettingsWrite.Params(store: store, settings: [Setting(key: key, value: value)]))
        }

        func shieldApps(_ apps: [String], in store: String = "test") async throws {
            try await shield("shield.applications", .array(apps.map { .string($0) }), in: store)
        }

        /// Publishes the approval of a request, and waits until shield-service has read it.
        func approve(
            _ id: String = "r1", _ kind: SubjectKind = .app, _ subject: String = "chess",
            minutes: Int64? = 15, end: Instant? = nil, member: String = Household.defaultMember,
            reason: String? = nil
        ) async throws {
            let request = request(
                id, kind, subject, minutes: minutes, end: end, member: member, reason: reason)
            try await publish(RequestDecided(request: request))
        }

        /// Approved now.
        func request(
            _ id: String, _ kind: SubjectKind = .app, _ subject: String = "chess", minutes: Int64?,
            end: Instant?, member: String = Household.defaultMember, reason: String? = nil
        ) -> TimeRequest {
            TimeRequest(
                id: id, member: member, kind: kind, subject: subject, minutes: minutes, reason: reason,
                asked: clock.now, dayEnd: clock.now + .minutes(540), state: .approved, decided: clock.now,
                decider: .guardian, bootID: boot, boottime: boot == nil ? nil : elapsed, granted: minutes,
                end: end ?? clock.now + .minutes(minutes ?? 540))
        }

        func publish(_ event: some EventData) async throws {
            var sequence: Int64 = 0
            try auth.transact(trace: nil) { sequence = try $0.emit(event) }
            try await untilTurn("shield-service has read it") { [self] in
                core.service.followers[.auth]?.reached == sequence && !core.service.hasUncommitted
            }
        }

        func judge(_ apps: [String], _ domains: [String] = []) async throws -> [String] {
            try await client.call(ShieldJudge.self, ShieldJudge.Params(apps: apps, domains: domains))
                .judgements.map { $0.shield ?? "-" }
        }

        /// `began ID`, `ended ID WHY`, `applied SUBJECT`, `lifted SUBJECT`, in order.
        func told() async throws -> [String] {
            try await client.call(EventsRead.self, EventsRead.Params(after: 0)).events.compactMap { raw in
                let event = try AnyEvent.decode(raw.bytes)
                let data = event.data?.bytes ?? []
                switch event.head.type {
                case ShieldApplied.type: return "applied \(try ShieldApplied.decode(data).shield.subject)"
                case ShieldLifted.type: return "lifted \(try ShieldLifted.decode(data).subject)"
                case ExceptionBegan.type: return "began \(try ExceptionBegan.decode(data).exception.id)"
                case ExceptionEnded.type:
                    let ended = try ExceptionEnded.decode(data)
                    return "ended \(ended.exception.id) \(ended.ending.rawValue)"
                default: return nil
                }
            }
        }
    }
}
