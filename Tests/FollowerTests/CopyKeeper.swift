import Contract
import Loop
import Store
import ScreenTimeTesting

@testable import MonitorCore
@testable import ServiceKit
@testable import ShieldCore

/// shield-service with its copies of the household and of the installed extensions, and monitor-runner with
/// its deliveries, as they are; and the two owners they follow.
@LoopActor final class CopyKeeper {
    let directory: TestDirectory
    let auth: RestorableOwner
    let activity: RestorableOwner
    /// shield-service.
    private(set) var service: Service
    private(set) var deliverer: Service
    private var cores: [AnyObject] = []
    private(set) var faults: CommitFaults
    private(set) var delivererFaults: CommitFaults
    private let clock = StandingClock()

    init() throws {
        directory = try TestDirectory()
        auth = try RestorableOwner(.auth, in: directory)
        activity = try RestorableOwner(.activity, in: directory)
        let (shield, monitor) = try Self.cores(directory, clock)
        service = shield.service
        deliverer = monitor.service
        faults = CommitFaults(service.database)
        delivererFaults = CommitFaults(deliverer.database)
        try shield.start()
        try monitor.start()
        cores = [shield, monitor]
    }

    private static func cores(
        _ directory: TestDirectory, _ clock: any WallClock
    ) throws -> (ShieldService, MonitorService) {
        (
            try ShieldService(try directory.configuration(), clock: clock),
            try MonitorService(try directory.configuration(), clock: clock)
        )
    }

    func owner(_ name: ServiceName) -> RestorableOwner { name == .auth ? auth : activity }

    /// - Parameter change: is done to the store of shield-service before it starts.
    func restart(changing change: (Database) throws -> Void = { _ in }) throws {
        heal()
        service.close()
        deliverer.close()
        let (shield, monitor) = try Self.cores(directory, clock)
        service = shield.service
        deliverer = monitor.service
        try change(service.database)
        faults = CommitFaults(service.database)
        delivererFaults = CommitFaults(deliverer.database)
        try shield.start()
        try monitor.start()
        cores = [shield, monitor]
    }

    func heal() {
        faults.failsCommit = { false }
        delivererFaults.failsCommit = { false }
    }

    func close() {
        service.close()
        deliverer.close()
        auth.stop()
        activity.stop()
    }

    // MARK: what it has

    func members() throws -> [String: String] {
        let rows = try service.database.query("SELECT id, body FROM household_copy WHERE kind = 'member'") {
            ($0.text(0), $0.bytes(1))
        }
        return try Dictionary(uniqueKeysWithValues: rows.map { ($0, try Member.decode($1).name) })
    }

    /// A row that no owner has.
    func addStranger(_ id: String = "stranger") throws {
        try service.transact(trace: nil) { transaction in
            try transaction.database.run(
                "INSERT OR REPLACE INTO household_copy VALUES ('member', ?1, ?2)", id,
                Member(id: id, name: id).encoded())
        }
    }

    func deliveries() throws -> [Int64: Int] {
        let names = try deliverer.database.query("SELECT activity FROM delivery") { $0.text(0) }
        return Dictionary(names.map { (Int64($0.dropFirst()) ?? -1, 1) }, uniquingKeysWith: +)
    }

    /// What does not act because a source is not followed.
    var notActing: [String] {
        [service, deliverer].flatMap { $0.healthReport().notActing ?? [] }
    }

    /// As `screentime repair` asks shield-service.
    /// - Parameter source: only the copy of this owner.
    func repair(_ source: ServiceName? = nil) throws {
        for (name, follower) in service.followers where name == source ?? name {
            _ = try follower.rebuildCopy("it is a test")
        }
    }

    // MARK: waiting

    /// Whether all events of the owner's present log are applied and committed, by all that follow it.
    private func isInStep(_ owner: RestorableOwner) throws -> Bool {
        let source = try owner.service
        let run = try source.eventLog.run(of: source.head) ?? ""
        let followers = [service, deliverer].compactMap { $0.followers[owner.name]?.committed }
        return source.unpublishedCount == 0 && !followers.isEmpty
            && followers.allSatisfy {
                !$0.isRebuilding && $0.sequence == source.head && $0.run == run
            }
    }

    func becomesInStep() async throws {
        try await comes("in step") { [self] in
            let isThere = try isInStep(auth) && isInStep(activity)
            return isThere && notActing.isEmpty
        }
    }

    /// Suspends until `condition` holds at the end of a turn.
    func comes(_ what: String, _ condition: @escaping @LoopActor () throws -> Bool) async throws {
        let expectation = Expectation<Void>(
            "\(what): \(self.service.healthReport().follows) \(self.deliverer.healthReport().follows) "
                + "\(self.notActing)")
        @LoopActor func judge() {
            do { if try condition() { expectation.fulfil(()) } } catch { expectation.fail(error) }
        }
        let token = EventLoop.main.atEndOfTurn { judge() }
        defer { EventLoop.main.forget(token) }
        judge()
        try await expectation.wait(deadline: 60_000)
    }
}
