import Contract
import Foundation
import ReportCore
import Rules
import Schedules
import ServiceKit
import Store
import Testing
import Units

/// A copy in a directory of its own, and what it answers.
final class Copy {
    private struct Parts {
        var database: Database
        var copy: UsageCopy
        var reporter: Reporter

        init(_ path: String) throws {
            database = try UsageCopy.open(path: path)
            copy = try UsageCopy(database)
            reporter = Reporter(copy)
        }
    }

    private let directory: String
    /// Nil only while it restarts.
    private var parts: Parts?
    private var path: String { directory + "/report.sqlite3" }
    private var copy: UsageCopy { get throws { try #require(parts).copy } }
    private var database: Database { get throws { try #require(parts).database } }

    init() throws {
        directory = NSTemporaryDirectory() + "report-\(UUID().uuidString)"
        parts = try Parts(directory + "/report.sqlite3")
    }

    /// Closes the store and opens it again.
    /// - Parameter withoutHours: as a store in which none were stored yet.
    func restart(withoutHours: Bool = false) throws {
        if withoutHours {
            try database.write { try $0.run("DELETE FROM hour") }
            try database.commit()
        }
        parts = nil
        parts = try Parts(path)
    }

    /// Damages the roll-up of the quarter-hour that begins at an instant.
    func damageRollup(at start: Instant) throws {
        try database.write {
            try $0.run(
                "UPDATE rollup SET sections = x'ff' WHERE quarter = ?1", start.milliseconds / 900_000)
        }
        try database.commit()
    }

    /// Removes the sum of one hour; gives the number of the others.
    func removeAnHour() throws -> Int64 {
        try database.write { try $0.run("DELETE FROM hour WHERE hour = (SELECT max(hour) FROM hour)") }
        try database.commit()
        return try hours
    }

    var hours: Int64 { get throws { try database.integer("SELECT count(*) FROM hour") } }

    /// Deletes what is to be forgotten.
    func remove(_ forgetting: Forgetting) throws {
        try database.write { _ in _ = try copy.remove(forgetting) }
        try database.commit()
    }

    /// Cuts a time range out of everybody's use.
    func cut(_ stretch: TimeRange) throws {
        try database.write { _ in _ = try copy.cut(stretch, member: nil) }
        try database.commit()
    }

    deinit {
        // Leftovers in the temporary directory have no effect.
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// One event, in a turn of its own.
    @discardableResult
    func apply(_ event: UsageRecorded) throws -> Instant {
        let from = try database.write { _ in try copy.apply(event) }
        try settle()
        return from
    }

    /// Several events in one turn; some of them may be refused.
    func apply(_ events: [UsageRecorded], thenRollBack: Bool = false) throws {
        for event in events { try database.write { _ in _ = try copy.apply(event) } }
        guard thenRollBack else { return try settle() }
        try database.rollback()
        try copy.discard()
    }

    private func settle() throws {
        try database.write { _ in try copy.settle() }
        try database.commit()
    }

    @discardableResult
    func use(
        _ subject: String, _ intervals: [(Instant, Instant)], on device: String = "laptop",
        member: String = "uid-0", model: String? = nil,
        kind: SubjectKind = .app, category: String? = nil, name: String? = nil,
        range: (Instant, Instant) = (0, .max), open: Instant? = nil, pickups: [Instant] = [],
        notifications: [Instant] = []
    ) throws -> Instant {
        try apply(
            UsageRecorded(
                member: member, device: device, deviceModel: model, kind: kind, subject: subject,
                category: category, name: name, from: range.0, to: range.1,
                intervals: intervals.map { Interval(start: $0.0, end: $0.1) }, pickups: pickups,
                notifications: notifications, openSince: open))
    }

    func result(
        _ params: ReportQuery.Params, members: [ReportMember]? = nil, now: Instant = ReportQueryTests.thursday
    ) throws -> ReportQuery.Result {
        let members = members ?? (params.members ?? [params.member ?? "uid-0"]).map { ReportMember(id: $0) }
        let bytes = try #require(parts).reporter.answer(params, members: members, now: now).encoded()
        // A read may have cached days.
        try database.commit()
        let result = try ReportQuery.Result.decode(bytes)
        // Written without making the rows, but as the record writes itself.
        #expect(result.encoded() == bytes)
        return result
    }

    /// `segment_start key value` of each row.
    func rows(_ params: ReportQuery.Params, now: Instant = ReportQueryTests.thursday) throws -> [String] {
        try result(params, now: now).rows.map { "\($0.segmentStart) \($0.key) \($0.value)" }
    }
}
