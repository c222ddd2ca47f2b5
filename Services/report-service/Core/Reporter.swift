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
    ///   - isDrawn: whether it is the data of a report that an extension renders, which may be larger than a
    ///     message.
    /// - Throws: `invalidArgument`, `limitExceeded`; errors of the store.
    package func answer(
        _ params: ReportQuery.Params, members: [ReportMember], now: Instant, isDrawn: Bool = false
    ) throws -> ReportAnswer {
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
        var rest = ReportQuery.Result(
            zone: whole.zone.identifier, dayStartMinutes: whole.calendar.dayStart_minutes)
        let content: ReportAnswer.Content
        if params.shape == .activity {
            let bytesMax = isDrawn ? ReportLimits.drawnBytesMax : ReportLimits.answerBytesMax
            content = .activity(try activity(question, &notes, &rest, bytesMax))
        } else {
            content = .page(try cells(question, &notes, &rest))
        }
        rest.notes = notes.sentences
        rest.nextPage = rest.nextPage.map { $0 + (params.page ?? 0) }
        return ReportAnswer(content: content, rest: rest)
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

    private func cells(
        _ question: Question, _ notes: inout ReportNotes, _ rest: inout ReportQuery.Result
    ) throws -> ReportPage {
        let grouping = question.params.by ?? .app
        let metric = question.params.metric ?? .duration
        let subjects = ReportSubjects(copy.database)
        let (parts, known) = try parts(question)
        var members = parts.map { part in
            MemberCells(
                part.use, memberID: part.member.id, subjects, question.filter.selection, grouping, metric,
                deviceNames: Dictionary(uniqueKeysWithValues: part.devices.map { ($0.number, $0.name) }))
        }
        var page = ReportPage(
            question.range.labels, asTable: question.params.shape == .table,
            mayCut: question.params.page != nil)
        try fill(&page, from: &members, question.range) { page in
            // The notes are about all segments that follow, and so is the number in an error.
            if page.isTooMuch || metric == .pickups { return true }
            let unknown = Subject.unknownApp.id
            return try grouping == .app && !page.keys.contains(unknown) && subjects.isKnown(.app, unknown)
        }
        notes.explain(page, grouping, metric, pickupsAlone: members.reduce(0) { $0 + $1.pickupsAlone })
        if page.isEmpty {
            notes.explainNothing(
                question.filter, by: grouping, known: known, unknown: try question.filter.unknown(subjects))
        }
        try page.check()
        rest.running = metric == .duration && parts.contains { $0.use.isRunning }
        rest.names = page.names
        rest.nextPage = page.next.map(Int64.init)
        return page
    }

    /// - needsRest: whether segments after a complete page must be computed, too.
    private func fill(
        _ page: inout ReportPage, from members: inout [MemberCells], _ range: ReportRange,
        needsRest: (ReportPage) throws -> Bool
    ) throws {
        let areUnique = members.count == 1 && members[0].grouping != .category
        for first in stride(from: 0, to: range.segments.count, by: ReportLimits.segmentsAtOnce) {
            let segments = first..<min(first + ReportLimits.segmentsAtOnce, range.segments.count)
            for place in members.indices { try members[place].load(segments) }
            for segment in segments {
                try page.add(segment, areUnique: areUnique) { cells, keys in
                    for place in members.indices { try members[place].add(segment, to: &cells, &keys) }
                }
                if page.next == segment, try !needsRest(page) { return }
            }
        }
    }

    private func activity(
        _ question: Question, _ notes: inout ReportNotes, _ rest: inout ReportQuery.Result, _ bytesMax: Int
    ) throws -> ActivityPage {
        let subjects = ReportSubjects(copy.database)
        let (parts, known) = try parts(question)
        let members = parts.map { part in
            MemberActivity(
                use: part.use, member: part.member, subjects: subjects,
                selection: question.filter.selection, devices: part.devices)
        }
        let page = try ActivityPage(
            members, subjects, mayCut: question.params.page != nil, bytesMax: bytesMax)
        if page.isEmpty {
            notes.explainNothing(
                question.filter, by: .app, known: known, unknown: try question.filter.unknown(subjects))
        }
        rest.running = parts.contains { $0.use.isRunning }
        rest.nextPage = page.next
        return page
    }
}
