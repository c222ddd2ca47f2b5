import Units
import Contract
import Foundation
import Loop
import Store

@testable import ServiceKit

/// An owner with a real store, in this process, that can be restored from an older copy: auth-service's
/// members, or activity-center's callbacks, as far as their followers know them.
@LoopActor final class RestorableOwner {
    let name: ServiceName
    private let directory: TestDirectory
    private var running: Service?
    private var copies = 0
    /// Called before a page of the present state is made.
    var willMakePage: @LoopActor (String?) throws -> Void = { _ in }

    /// What it answers to `authorization.list`.
    var present: [Authorization] = []
    /// Events of the present state besides the members.
    var moreState: @LoopActor () -> [AuthorizationChanged] = { [] }

    private static let rowsPerPage: Int64 = 2
    private static let migrations = [
        Migration(
            version: 1, name: "rows",
            sql: "CREATE TABLE owned (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;")
    ]

    init(_ name: ServiceName, in directory: TestDirectory) throws {
        self.name = name
        self.directory = directory
        try start()
    }

    var service: Service {
        get throws {
            guard let running else { throw MalformedEvent("\(name.rawValue) does not run") }
            return running
        }
    }

    func start() throws {
        let service = try Service(
            name, configuration: try directory.configuration(), migrations: Self.migrations)
        running = service
        service.snapshot = { [unowned self, unowned service] page in
            try willMakePage(page)
            guard name == .auth else { return SnapshotPage(events: [], nextPage: nil) }
            let rows = try service.database.query(
                "SELECT id, name FROM owned WHERE id > ?1 ORDER BY id LIMIT ?2", page ?? "", Self.rowsPerPage
            ) { Member(id: $0.text(0), name: $0.text(1)) }
            let more = page == nil ? moreState().map { service.snapshotEvent($0) } : []
            return SnapshotPage(
                events: more + rows.map { service.snapshotEvent(MemberChanged(member: $0)) },
                nextPage: rows.count == Self.rowsPerPage ? rows.last?.id : nil)
        }
        try service.start(
            answering: { service in
                if name == .activity { service.answerCatalogueFromLog() }
                guard name == .auth else { return }
                service.read(MemberList.self) { _, _ in
                    MemberList.Result(members: [Member(id: Household.defaultMember, name: "me")])
                }
                service.read(AuthorizationList.self) { [unowned self] _, _ in
                    AuthorizationList.Result(authorizations: present)
                }
            }, following: { _ in })
    }

    func stop() {
        running?.close()
        running = nil
    }

    func restart() throws {
        stop()
        try start()
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }
    private var store: String { path("state/\(name.rawValue)") }

    /// Keeps a copy of the store as it is.
    /// - Returns: its number.
    @discardableResult func copy() throws -> Int {
        stop()
        copies += 1
        try FileManager.default.copyItem(atPath: store, toPath: path("\(name.rawValue).\(copies)"))
        try start()
        return copies
    }

    var copyCount: Int { copies }

    /// Restores a copy; `overtaking` publishes more before anybody can read.
    func restore(_ copy: Int, overtaking: (RestorableOwner) throws -> Void = { _ in }) throws {
        stop()
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.copyItem(atPath: path("\(name.rawValue).\(copy)"), toPath: store)
        try start()
        try overtaking(self)
    }

    // MARK: publishing

    /// A member's name; nil: the member is removed.
    func put(_ id: String, _ name: String?) throws {
        let member = Member(id: id, name: name ?? id)
        try service.transact(trace: nil) { transaction in
            if let name {
                try transaction.database.run("INSERT OR REPLACE INTO owned VALUES (?1, ?2)", id, name)
            } else {
                try transaction.database.run("DELETE FROM owned WHERE id = ?1", id)
            }
            try transaction.emit(MemberChanged(member: member, removed: name == nil))
        }
    }

    /// Something else than a member.
    func publish(_ change: AuthorizationChanged) throws {
        try service.transact(trace: nil) { _ = try $0.emit(change) }
    }

    /// Publishes a callback unless this copy of the owner has published it.
    func publish(_ key: Int64) throws {
        try service.transact(trace: nil) { transaction in
            try transaction.database.run("INSERT OR IGNORE INTO owned VALUES (?1, '')", String(key))
            guard transaction.database.changedRows > 0 else { return }
            let at = Instant(milliseconds: key)
            try transaction.emit(
                IntervalDidStart(
                    about: ActivityCallback(
                        client: "org.example.nobody", member: "uid-0", activity: "a\(key)",
                        registration: key, occurrenceStart: at, registered: at)))
        }
    }

    /// What it has now, by id.
    func rows() throws -> [String: String] {
        let rows = try service.database.query("SELECT id, name FROM owned") { ($0.text(0), $0.text(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
