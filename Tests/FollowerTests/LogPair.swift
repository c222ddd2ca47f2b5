import Contract
import Foundation
import JSON
import Loop
import Store
import ScreenTimeTesting
import Synchronization

@testable import ServiceKit

/// A directory of one test; removed with it or, if the test keeps only its configuration, with the process.
final class TestDirectory {
    let path: String
    private static let all = Mutex<[String]>([])

    init() throws {
        var template = Array("/tmp/stk-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Overdue("mkdtemp: errno \(errno)") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.path = path
        let isFirst = Self.all.withLock { all in
            all.append(path)
            return all.count == 1
        }
        if isFirst { atexit { TestDirectory.all.withLock { $0.forEach(TestDirectory.remove) } } }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // A directory left behind in /tmp is no failure of what the test shows.
        try? FileManager.default.removeItem(atPath: path)
    }

    func configuration() throws -> Configuration {
        try Configuration(environment: [
            "SCREENTIME_RUNTIME_DIR": path + "/run", "SCREENTIME_STATE_DIR": path + "/state",
            "SCREENTIME_LOG_LEVEL": "error", "HOME": path,
        ])
    }
}

/// The owner of a log, and a service that follows it into a table, both with real stores and sockets, in this
/// process.
@LoopActor final class LogPair {
    let directory: TestDirectory
    // Nil only in the middle of a restart: a store is opened again when its former owner has let it go.
    private var ownerNow: Service?
    private var followerNow: Service?
    private var faultsNow: CommitFaults?
    private(set) var emitted: Int64 = 0
    /// What the handler does before it writes; throws what a test wants it to meet.
    var meets: @LoopActor (Int64) throws -> Void = { _ in }
    private var watchers: [@LoopActor () -> Bool] = []

    static let taken = [
        Migration(
            version: 1, name: "taken",
            sql: "CREATE TABLE taken (place INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                + "bulk BLOB NOT NULL) STRICT;")
    ]

    private let eventsKept: Int64

    /// - Parameter eventsKept: of the owner's log.
    init(eventsKept: Int64 = Limits.logEventsKept) throws {
        self.eventsKept = eventsKept
        directory = try TestDirectory()
        try startOwner()
        try startFollower()
    }

    var owner: Service { get throws { try Self.present(ownerNow) } }
    var follower: Service { get throws { try Self.present(followerNow) } }
    var faults: CommitFaults { get throws { try Self.present(faultsNow) } }

    private static func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Overdue("it does not run") }
        return value
    }

    private func configuration() throws -> Configuration {
        var configuration = try directory.configuration()
        configuration.logEventsKept = eventsKept
        return configuration
    }

    private func startOwner() throws {
        let owner = try Service(.shield, configuration: try configuration(), migrations: [])
        ownerNow = owner
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(answering: { _ in }, following: { _ in })
    }

    private func startFollower() throws {
        let follower = try Service(
            .monitor, configuration: try configuration(), migrations: Self.taken)
        followerNow = follower
        faultsNow = CommitFaults(follower.database)
        try follower.start(answering: { _ in }) { service in
            try service.follow(.shield) { following in
                following.on(SettingsRejected.self) { [unowned self] event, transaction in
                    try meets(event.sequence)
                    try transaction.database.run(
                        "INSERT INTO taken (name, bulk) VALUES (?1, zeroblob(300))", event.data.store)
                    transaction.afterCommit { [self] in look() }
                }
            }
        }
    }

    /// Stops the follower and starts it again from its store.
    /// - Parameters:
    ///   - isKilled: what the stop itself commits is lost.
    ///   - meanwhile: runs while it is stopped.
    func restartFollower(isKilled: Bool = false, meanwhile: () throws -> Void = {}) throws {
        try faults.failsCommit = { isKilled }
        try faults.freeDisk()
        try follower.close()
        faultsNow = nil
        followerNow = nil
        try meanwhile()
        try startFollower()
    }

    func restartOwner() throws {
        try owner.close()
        ownerNow = nil
        try startOwner()
    }

    func close() {
        followerNow?.close()
        ownerNow?.close()
    }

    /// Events with the names 1, 2, 3 …; they are committed and published at the end of this turn.
    func emit(_ count: Int = 1) throws {
        for _ in 0..<count {
            emitted += 1
            let name = String(emitted)
            try owner.transact(trace: nil) { _ = try $0.emit(SettingsRejected(client: "a.b", store: name)) }
        }
    }

    /// The names that the follower has, in the order in which it took them.
    func taken() throws -> [Int64] {
        try follower.database.query("SELECT name FROM taken ORDER BY place") { Int64($0.text(0)) ?? -1 }
    }

    private func look() { watchers.removeAll { $0() } }

    /// Suspends until the follower has committed an event of this name.
    func takes(_ name: Int64) async throws {
        let expectation = Expectation<Void>(
            "taking in \(name); cursor \(self.followerNow?.followers[.shield]?.committed.sequence ?? -1)")
        @LoopActor func judge() -> Bool {
            do {
                guard try taken().contains(name) else { return false }
                expectation.fulfil(())
            } catch { expectation.fail(error) }
            return true
        }
        if !judge() { watchers.append(judge) }
        try await expectation.wait(deadline: 20_000)
    }
}
