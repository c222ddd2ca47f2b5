import CommandKit
import Contract
import JSON
import Loop
import Units

/// What `audit --json` prints.
@Record
private struct AuditReport: Record {
    /// All pages of audit.read.
    var entries: [AuditEntry] = []
    /// All pages of exception.history.
    var exceptions: [ExceptionEntry] = []

    /// What is about one member, whose name or id is given; also a removed one.
    func of(_ typed: String, _ names: [String: String]) throws(CommandError) -> AuditReport {
        let ids = entries.map(\.member) + exceptions.map(\.exception.member) + names.keys
        // A name that was used twice is the last one's.
        let former = entries.last { $0.changed?.name == typed }?.member
        let named = names.first { $0.value == typed }?.key ?? former
        guard let id = named ?? ids.first(where: { $0 == typed }) else {
            throw CommandError(
                "the audit log has no member '\(VisibleText.escaped(typed))'",
                remedy: "See `screentime member list`, and `screentime audit` for those that were removed.")
        }
        return AuditReport(
            entries: entries.filter { $0.member == id },
            exceptions: exceptions.filter { $0.exception.member == id })
    }
}

extension Screentime {
    static let auditCommand = Command(
        "audit",
        options: [
            Option("--member", "MEMBER", "Name or id of a member, also a removed one; default: all."), .json,
        ],
        summary: "List who asked for and decided what, when and why, the oldest first.",
        details: """
            Requests for more time and the exceptions that followed, authorizations of apps, and changes of
            members and their rules. What was forgotten or is older than the days kept is not listed.
            """
    ) { invocation in
        let session = try invocation.session()
        let names = try await session.memberNames()
        var report = AuditReport(
            entries: try await entries(session), exceptions: try await exceptions(session))
        if let typed = invocation.value("--member") { report = try report.of(typed, names) }
        if invocation.has("--json") {
            Console.print(report.encoded())
        } else {
            print(report, names)
        }
        return ExitCode.ok
    }

    @LoopActor private static func entries(_ session: Session) async throws -> [AuditEntry] {
        var (params, found) = (AuditRead.Params(), [AuditEntry]())
        while true {
            let page = try await session.call(AuditRead.self, params)
            found += page.entries
            guard page.through < page.head else { return found }
            params.after = page.through
        }
    }

    @LoopActor private static func exceptions(_ session: Session) async throws -> [ExceptionEntry] {
        var (params, found) = (ExceptionHistory.Params(), [ExceptionEntry]())
        while true {
            let page = try await session.call(ExceptionHistory.self, params)
            found += page.entries
            guard page.through < page.head else { return found }
            params.after = page.through
        }
    }

    @LoopActor private static func print(_ report: AuditReport, _ names: [String: String]) {
        var known: [String: Member] = [:]
        var formerNames: [String: String] = [:]
        var rows = report.entries.map { entry in
            defer {
                if let changed = entry.changed {
                    // Who comes again under the same name is another one.
                    known[changed.id] = entry.removed == true ? nil : changed
                    formerNames[changed.id] = changed.name
                }
            }
            return AuditRow(entry, before: known[entry.member])
        }
        rows += report.exceptions.map(AuditRow.init)
        // Those of one service keep their order.
        rows = rows.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        var table = TextTable(["WHEN", "MEMBER", "WHAT", "BY", "WHY"])
        for row in rows {
            let member = names[row.member] ?? formerNames[row.member] ?? row.member
            table.add([LocalTime.text(row.at), member, row.what, row.by, row.why ?? ""])
        }
        table.printAll()
    }
}

/// One line.
struct AuditRow {
    let at: Instant
    let member: String
    var what = ""
    /// Who did it; empty: time alone, or it is not recorded.
    var by = ""
    var why: String?

    /// - Parameter before: the member before this entry, if it is known.
    init(_ entry: AuditEntry, before: Member?) {
        (at, member) = (entry.at, entry.member)
        if let request = entry.request { tell(request) }
        if let authorization = entry.authorization { tell(authorization) }
        if let changed = entry.changed {
            let isRemoved = entry.removed == true
            what = isRemoved ? "removed" : Self.changes(of: changed, from: before)
            by = "person"
        }
    }

    init(_ entry: ExceptionEntry) {
        let exception = entry.exception
        (at, member) = (entry.at, exception.member)
        let subject = Self.subject(exception.kind, exception.subject)
        guard let ending = entry.ending else {
            what = "exception began: \(subject), until \(LocalTime.end(exception.end))"
            why = "request \(exception.id)"
            return
        }
        what = "exception ended: \(subject)"
        switch ending {
        case .timeIsOver: why = "its time is over"
        case .person: by = "person"
        case .memberRemoved: why = "the member was removed"
        }
    }

    private mutating func tell(_ request: TimeRequest) {
        let subject = Self.subject(request.kind, request.subject)
        what = "request \(request.id): "
        switch request.state {
        case .pending:
            what += "asked for \(Self.length(request.minutes)) with \(subject)"
            why = request.reason
        case .approved:
            what += "approved \(Self.length(request.granted)) with \(subject)"
            why = request.answer
        case .denied:
            what += "denied \(subject)"
            why = request.answer
        case .withdrawn, .expired: what += "\(request.state.rawValue), \(subject)"
        }
        by = request.decider?.rawValue ?? ""
    }

    private mutating func tell(_ authorization: Authorization) {
        what = "app \(authorization.client): "
        guard !authorization.pending else {
            what += "asks for authorization"
            return
        }
        switch authorization.status {
        case .approved:
            what += authorization.restrictions ? "approved" : "approved, its restrictions are off"
        case .denied: what += "denied"
        case .notDetermined:
            what += "no longer authorized"
            return
        }
        by = "person"
    }

    private static func changes(of member: Member, from before: Member?) -> String {
        guard let before else { return "is \(member.role.rawValue) \(rules(of: member))" }
        let (old, new) = (parts(of: before), parts(of: member))
        let changed = zip(old, new).filter { $0 != $1 }.map(\.1)
        return changed.isEmpty ? "unchanged" : changed.joined(separator: ", ")
    }

    private static func rules(of member: Member) -> String {
        "(" + parts(of: member).joined(separator: ", ") + ")"
    }

    private static func parts(of member: Member) -> [String] {
        let delay = member.selfApprovalMinutes ?? Member.selfApprovalMinutesDefault
        var waiting = ""
        if let next = member.nextSelfApprovalMinutes, let at = member.nextSelfApprovalAt {
            waiting = ", \(length(next)) from \(LocalTime.end(at)) on"
        }
        return [
            "zone \(member.zone ?? "system")",
            "day starts at \(LocalTime.timeOfDay(minutes: member.dayStartMinutes))",
            "delay of self-approval \(length(delay))\(waiting)",
            "one more minute \(member.oneMoreMinute == false ? "off" : "on")",
        ]
    }

    private static func subject(_ kind: SubjectKind, _ subject: String) -> String {
        "\(kind.rawValue) \(kind.readable(subject))"
    }

    private static func length(_ minutes: Int64?) -> String {
        EnglishWords.length(minutes: minutes)
    }
}
