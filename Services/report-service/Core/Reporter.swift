package import Contract
import Rules
import Schedules
package import Units

/// Answers `report.query` from the copy of the usage log.
package final class Reporter {
    private let copy: UsageCopy

    /// Answers from this copy.
    package init(_ copy: UsageCopy) { self.copy = copy }

    /// - Parameters:
    ///   - members: whose use; their own zone and day start are the defaults if they agree.
    ///   - now: end of open use; also defines today.
    /// - Throws: `invalidArgument`, `limitExceeded`; errors of the store.
    package func answer(
        _ params: ReportQuery.Params, members: [ReportMember], now: Instant
    ) throws -> ReportQuery.Result {
        if !copy.isSettled { try copy.database.write { _ in try copy.settle() } }
        let fallback = try params.fallbackZone.map(ReportRange.zone) ?? .current
        let calendars = Set(members.map { $0.calendar(else: fallback) })
        let calendar = calendars.count == 1 ? calendars.first : nil
        let whole = try ReportRange(
            params, calendar ?? DayCalendar(zone: fallback, dayStart_minutes: 0), now: now)
        let filter = try ReportFilter(params)
        let question = Question(
            params: params, members: members, filter: filter, range: try whole.dropping(params.page),
            now: now)
        var notes = ReportNotes(range: whole)
        if calendars.count > 1, params.zone == nil || params.dayStartMinutes == nil {
            notes.add("These members' days differ; the days here are those of \(whole.zone.identifier).")
        }
        var result =
            params.shape == .activity
            ? try activity(question, &notes) : try cells(question, &notes)
        result.zone = whole.zone.identifier
        result.dayStartMinutes = whole.calendar.dayStart_minutes
        result.notes = notes.sentences
        result.nextPage = result.nextPage.map { $0 + (params.page ?? 0) }
        return result
    }

    private struct Question {
        var params: ReportQuery.Params
        var members: [ReportMember]
        var filter: ReportFilter
        var range: ReportRange
        var now: Instant
    }

    /// One member of a question with the copy's data.
    private struct Part {
        var member: ReportMember
        var devices: [ReportDevice]
        var use: MemberUse
    }

    /// Members without records have no part.
    private func parts(_ question: Question) throws -> (parts: [Part], known: [ReportDevice]) {
        var parts: [Part] = []
        var known: [ReportDevice] = []
        for member in question.members {
            guard let number = try copy.directory.find(member: member.id) else { continue }
            let devices = try copy.devices(of: number)
            known += devices
            let chosen = devices.filter(question.filter.includes)
            guard !chosen.isEmpty else { continue }
            let use = try MemberUse(
                copy, member: number, devices: question.filter.allDevices ? nil : Set(chosen.map(\.number)),
                question.range, now: question.now)
            parts.append(Part(member: member, devices: chosen, use: use))
        }
        return (parts, known)
    }

    private func cells(_ question: Question, _ notes: inout ReportNotes) throws -> ReportQuery.Result {
        let grouping = question.params.by ?? .app
        let metric = question.params.metric ?? .duration
        let subjects = ReportSubjects(copy.database)
        let (parts, known) = try parts(question)
        var cells = ReportCells(segments: question.range.segments.count)
        var pickupsAlone: Int64 = 0
        for part in parts {
            var maker = MemberCells(
                part.use, memberID: part.member.id, subjects, question.filter.selection, grouping, metric,
                deviceNames: Dictionary(uniqueKeysWithValues: part.devices.map { ($0.number, $0.name) }))
            try maker.add(to: &cells)
            pickupsAlone += maker.pickupsAlone
        }
        notes.explain(cells, grouping, metric, pickupsAlone: pickupsAlone)
        if cells.isEmpty {
            notes.explainNothing(
                question.filter, known: known, unknown: try question.filter.unknown(subjects))
        }
        let page = try ReportPage(
            cells.sorted(), question.range.labels, asTable: question.params.shape == .table,
            mayCut: question.params.page != nil
        ) { key in grouping == .app ? try subjects.name(ofApp: key) : nil }
        return ReportQuery.Result(
            rows: page.rows, table: page.table,
            running: metric == .duration && parts.contains { $0.use.isRunning },
            names: page.names.isEmpty ? nil : page.names, nextPage: page.next)
    }

    private func activity(_ question: Question, _ notes: inout ReportNotes) throws -> ReportQuery.Result {
        let subjects = ReportSubjects(copy.database)
        let (parts, known) = try parts(question)
        let activities = try parts.flatMap { part in
            try MemberActivity(
                use: part.use, member: part.member, subjects: subjects,
                selection: question.filter.selection, devices: part.devices
            ).activities()
        }
        if activities.isEmpty {
            notes.explainNothing(
                question.filter, known: known, unknown: try question.filter.unknown(subjects))
        }
        let page = try ActivityPage(activities, mayCut: question.params.page != nil)
        return ReportQuery.Result(
            activity: page.activities, running: parts.contains { $0.use.isRunning }, nextPage: page.next)
    }
}
