import Bus
import Contract
import Loop
import Schedules
import ServiceKit
import Units

/// What the weekly report tells: the use of seven local days.
struct WeekOfUse: Equatable {
    /// The first of the days; the last is six days later.
    var first: LocalDate
    var total: Milliseconds
    /// Of the seven days before; nil if nothing was measured then.
    var before: Milliseconds?
    /// The most used apps by name, the most used first, up to ``topCount``.
    var top: [App] = []
    /// Whether today is the day after the last one.
    var isNewest = true

    struct App: Equatable {
        var name: String
        var duration: Milliseconds
    }

    static let topCount = 3
    var last: LocalDate { first.advanced(by: 6) }

    /// How much more than before, in percent, rounded; nil if there is not a minute to compare with.
    var change_percent: Int64? {
        before.flatMap { $0 < .minute ? nil : $0 }.map { before in
            let difference = Double((total - before).count) / Double(before.count)
            return Int64((difference * 100).rounded())
        }
    }
}

/// Reads it from report-service.
@LoopActor struct WeekOfUseReader {
    let service: Service
    /// For each request.
    private static let answer: Milliseconds = 10_000
    /// The app of time that nobody could name (report-service).
    private static let unknown = "unknown"

    init(_ service: Service) { self.service = service }

    /// The seven days before the day that contains `due`.
    /// - Parameters:
    ///   - member: nil: the person.
    ///   - trigger: by which it was due, maybe in another zone: that day is then the nearest of its weekday.
    func read(
        _ member: String?, due: Instant, by trigger: NotificationTrigger?, trace: TraceContext
    ) async throws(ServiceError) -> WeekOfUse {
        let today = day(of: member, at: due, by: trigger)
        let first = today.advanced(by: -7)
        let totals = try await query(member, first.advanced(by: -7), .total, trace)
        let apps = try await query(member, first, .app, trace)
        var week = WeekOfUse(first: first, total: 0, before: nil)
        week.isNewest = day(of: member, at: service.clock.now) == today
        for row in totals.rows {
            let value = Milliseconds(row.value)
            // Dates of the form YYYY-MM-DD sort as texts.
            if row.segmentStart >= first.description {
                week.total += value
            } else {
                week.before = (week.before ?? 0) + value
            }
        }
        var sums: [String: Milliseconds] = [:]
        for row in apps.rows where row.key != Self.unknown {
            sums[row.key, default: 0] += Milliseconds(row.value)
        }
        week.top = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(WeekOfUse.topCount).map {
            WeekOfUse.App(name: apps.names[$0.key] ?? $0.key, duration: $0.value)
        }
        return week
    }

    private func day(
        of member: String?, at due: Instant, by trigger: NotificationTrigger? = nil
    ) -> LocalDate {
        let member = service.household.member(service.member(member))
        // A zone that this machine has lost: report-service uses the machine's, too.
        let zone = member?.zone.flatMap { try? Zone($0) } ?? .current
        let date = zone.date(at: due)
        let dayStart = (member?.dayStartMinutes ?? 0) * Milliseconds.minute
        if let trigger, trigger.zone == nil, let parts = trigger.components, let weekday = parts.weekday,
            date.weekday != weekday,
            let near = [-1, 1].map(date.advanced(by:)).first(where: { $0.weekday == weekday })
        {
            let time = ((parts.hour ?? 0) * 60 + (parts.minute ?? 0)) * Milliseconds.minute
            return time < dayStart ? near.advanced(by: -1) : near
        }
        return zone.start(of: date, dayStart) > due ? date.advanced(by: -1) : date
    }

    /// Daily rows from `from` to the last day of the report, as many pages as there are.
    private func query(
        _ member: String?, _ from: LocalDate, _ grouping: ReportGrouping, _ trace: TraceContext
    ) async throws(ServiceError) -> (rows: [ReportRow], names: [String: String]) {
        let to = from.advanced(by: grouping == .total ? 13 : 6)
        var params = ReportQuery.Params(
            from: from.description, to: to.description, member: member, by: grouping, page: 0)
        var rows: [ReportRow] = []
        var names: [String: String] = [:]
        while params.page != nil {
            let answer = try await service.client(.report).call(
                ReportQuery.self, params, options: CallOptions(deadline: Self.answer, trace: trace))
            rows += answer.rows
            for name in answer.names ?? [] { names[name.key] = name.name }
            params.page = answer.nextPage
        }
        return (rows, names)
    }
}
