import Units
import Contract
import Foundation
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import AuthCore
@testable import MonitorCore
@testable import NotifierCore
@testable import ReportCore
@testable import ServiceKit
@testable import ShieldCore

/// What the tests drive: the core of one service, whom it follows, and what it keeps of them.
struct FollowerCase: Sendable, CustomTestStringConvertible {
    let name: ServiceName
    let sources: [ServiceName]
    /// One text per row; the rows contain everything that results from the followed events.
    let kept: [String]
    /// The service, and the core that lives as long.
    let start: @LoopActor @Sendable (Configuration, any WallClock) throws -> (Service, AnyObject)

    var testDescription: String { name.rawValue }

    private static let household = "SELECT kind || ' ' || id || ' ' || CAST(body AS TEXT) FROM household_copy"
    private static let extensions = "SELECT id || ' ' || CAST(body AS TEXT) FROM extension_copy"

    static let all = [
        FollowerCase(name: .auth, sources: [.notifier, .activity], kept: [
            "SELECT client || ' ' || status || pending || access FROM authorization",
            "SELECT identifier || ' ' || (ended_by IS NULL) FROM question",
        ]) { configuration, _ in
            let core = try AuthService(configuration)
            try core.start()
            try core.service.transact(trace: nil) { _ in
                for question in (0..<Story.questions).map(Story.question)
                where try core.authorizations.find(id: question.id) == nil {
                    try core.authorizations.save(question)
                    try core.service.database.run(
                        "INSERT INTO question (identifier, authorization) VALUES (?1, ?2)",
                        "authorization." + question.id, question.id)
                }
            }
            // The first fault concerns the story, not the initial state.
            core.service.endTurn()
            return (core.service, core)
        },
        FollowerCase(name: .activity, sources: [.auth], kept: [household]) { configuration, _ in
            let core = try ActivityCenter(configuration)
            try core.start()
            return (core.service, core)
        },
        FollowerCase(
            name: .shield, sources: [.auth, .monitor, .activity],
            kept: [household, extensions, "SELECT app || ' ' || category FROM app_category"]
        ) { configuration, clock in
            let core = try ShieldService(configuration, clock: clock)
            try core.start()
            return (core.service, core)
        },
        FollowerCase(name: .notifier, sources: [.auth], kept: [household]) { configuration, _ in
            let core = try NotifierService(configuration)
            try core.start()
            return (core.service, core)
        },
        FollowerCase(
            name: .report, sources: [.auth, .activity, .monitor],
            kept: [
                household, extensions,
                "SELECT series || ' ' || hex(records) FROM (SELECT member AS series, records, quarter FROM quarter)",
                "SELECT member || ' ' || quarter || hex(sections) FROM rollup",
                "SELECT member || ' ' || hour || hex(sections) FROM hour",
                "SELECT kind || key FROM subject",
            ]
        ) { configuration, clock in
            let core = try ReportService(configuration, clock: clock)
            try core.start()
            return (core.service, core)
        },
        FollowerCase(
            name: .monitor, sources: [.auth, .activity],
            kept: [household, "SELECT activity || state || CAST(body AS TEXT) FROM delivery"]
        ) { configuration, clock in
            let core = try MonitorService(configuration, clock: clock)
            try core.start()
            return (core.service, core)
        },
    ]
}

/// What the owners publish; the same seed gives the same story.
struct Story {
    static let questions = 40
    private var chance: Chance
    private var told: [ServiceName: Int64] = [:]

    init(seed: UInt64) { chance = Chance(seed: seed) }

    @LoopActor static func question(_ number: Int) -> Authorization {
        Authorization(
            id: "q\(number)", client: "org.example.c\(number)", member: ServiceKit.Household.defaultMember,
            status: .notDetermined, pending: true, requested: 1)
    }

    private mutating func pick(_ count: Int64) -> Int64 { Int64(chance.next() % UInt64(count)) }

    /// One event of an owner.
    @LoopActor mutating func publish(_ owner: ServiceName, _ transaction: Transaction) throws {
        told[owner, default: 0] += 1
        let number = told[owner, default: 0]
        switch owner {
        case .auth where pick(2) == 0:
            // Those from 6 on stay, so that every story leaves something.
            let id = pick(12)
            let member = Member(id: "member-\(id)", name: "name \(number)", role: .child)
            try transaction.emit(MemberChanged(member: member, removed: id < 6 && pick(4) == 0))
        case .auth:
            let (app, member) = (pick(6), pick(3))
            let right = Authorization(
                id: "a\(app)\(member)", client: "org.example.c\(app)", member: "member-\(member)",
                status: .approved, access: pick(3) > 0, restrictions: pick(2) == 0,
                requested: Instant(milliseconds: number))
            try transaction.emit(AuthorizationChanged(authorization: right))
        case .activity where pick(2) == 0:
            let from: Instant = 1_700_000_000_000 + .minutes(pick(500))
            try transaction.emit(
                UsageRecorded(
                    member: "uid-0", device: "laptop", kind: .app, subject: "app\(pick(5))", from: from,
                    to: from + .minute,
                    intervals: [Interval(start: from, end: from + Milliseconds(1 + pick(60_000)))]))
        case .activity where pick(3) == 0:
            try transaction.emit(
                CatalogChanged(subjects: [
                    CatalogChange(
                        kind: .app, subject: "app\(pick(5))",
                        category: ["games", "social", "other"][Int(pick(3))])
                ]))
        case .activity:
            let at = Instant(milliseconds: number)
            try transaction.emit(
                IntervalDidStart(
                    about: ActivityCallback(
                        client: "org.example.nobody", member: "uid-0", activity: "a\(number)",
                        registration: number, occurrenceStart: at, registered: at)))
        case .monitor where pick(3) == 0:
            try transaction.emit(ExtensionRemoved(id: "e\(pick(4))", client: "org.example.c", point: .report))
        case .monitor:
            let points: [ExtensionPoint] = [.report, .shieldConfiguration, .shieldAction]
            try transaction.emit(
                ExtensionInstalled(
                    program: ExtensionRecord(
                        id: "e\(pick(4))", client: "org.example.c\(pick(3))", point: points[Int(pick(3))],
                        path: "/nowhere/\(number)", executable: "/nowhere/\(number)/program")))
        case .notifier:
            try transaction.emit(
                NotificationAnswered(
                    identifier: "authorization.q\(number % Int64(Self.questions))",
                    action: pick(2) == 0 ? "approve" : "deny"))
        default: break
        }
    }
}

extension Service {
    /// Answers `catalog.list` as an owner would whose catalogue has what its log says of apps.
    @LoopActor func answerCatalogueFromLog() {
        read(CatalogList.self) { [unowned self] _, _ in
            var items: [String: CatalogItem] = [:]
            for stored in try eventLog.page(after: 0, types: [CatalogChanged.type], limit: 10_000).events {
                let event = try AnyEvent.decode(stored.body)
                guard let data = event.data else { continue }
                for change in try CatalogChanged.decode(data.bytes).subjects {
                    items[change.subject] = CatalogItem(
                        subject: change.subject, name: change.name, category: change.category)
                }
            }
            return CatalogList.Result(
                items: items.values.sorted { $0.subject < $1.subject }, sequence: head, epoch: eventLog.epoch)
        }
    }
}

/// A clock that stands still: stored data does not depend on when a test runs.
@LoopActor final class StandingClock: WallClock {
    let now: Instant = 1_790_000_000_000

    func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        EventLoop.main.after(86_400_000, body)
    }
    func cancel(_ timer: TimerToken) { EventLoop.main.cancel(timer) }
}
