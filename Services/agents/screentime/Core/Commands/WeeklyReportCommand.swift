import CommandKit
import Contract
import JSON
import Loop
import ServiceKit
import Units

extension Screentime {
    /// In the order of DateComponents' weekday, which counts from 1.
    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    static let weeklyReportCommand = Command(
        "report weekly",
        options: [
            Option("--day", "DAY", "Switch it on: the weekday on which it comes.", values: .words(weekdays)),
            Option("--at", "HH:MM", "With --day: at this time; 18:00 unless given."),
            Option("--off", nil, "Switch it off."), Option("--now", nil, "Show one now."),
            Option("--email", "ADDRESS", "Also mail each report there, with the machine's sendmail."),
            Option("--no-email", nil, "Mail none."),
            Option("--webhook", "URL", "Also post each report there, signed; a key is printed once."),
            Option("--no-webhook", nil, "Post none."), .member, .json,
        ],
        summary: "Set or show when a notification tells the use of the last 7 days.",
        details: """
            A click on it opens the console's reports. It is about the 7 days before the day on which it
            comes, and waits for a notification daemon if none runs then. A mail or webhook that fails is
            tried again for 3 days. Webhooks are signed as standardwebhooks.com says.
            """
    ) { invocation in
        let session = try invocation.session()
        // Whoever names themselves means the report that they have without a name.
        let named = try await session.memberID(invocation.value("--member"))
        let member = named == Household.defaultMember ? nil : named
        let wishes = ["--day", "--off"].filter(invocation.has)
        guard wishes.count <= 1 else {
            throw CommandError(
                ExitCode.usage, "\(wishes.joined(separator: " and ")) exclude each other",
                remedy: "Give one of them.")
        }
        guard !invocation.has("--at") || invocation.has("--day") else {
            throw CommandError(
                ExitCode.usage, "--at says when, but no --day on which",
                remedy: "Give both: `screentime report weekly --day sunday --at 09:00`.")
        }
        // First, so that a report that is shown now leaves by them, too.
        try await setChannels(invocation, session)
        switch wishes.first {
        case "--day": try await switchOn(invocation, session, member)
        case "--off": try await switchOff(session, member)
        default: break
        }
        if invocation.has("--now") {
            _ = try await session.call(NotificationPost.self, WeeklyReport.posting(member: member))
        }
        try await show(invocation, session, member)
        return ExitCode.ok
    }

    @LoopActor private static func switchOn(
        _ invocation: Invocation, _ session: Session, _ member: String?
    ) async throws {
        let text = invocation.value("--at") ?? "18:00"
        guard let time = TimeOfDay(text) else {
            throw CommandError(
                ExitCode.usage, "--at is '\(text)'", remedy: "Write it as HH:MM, 00:00 to 23:59.")
        }
        let day = invocation.value("--day").flatMap(weekdays.firstIndex) ?? 0
        _ = try await session.call(
            NotificationPost.self,
            WeeklyReport.posting(weekday: Int64(day) + 1, minutes: time.minutes, member: member))
    }

    @LoopActor private static func switchOff(_ session: Session, _ member: String?) async throws {
        let params = NotificationClear.Params(
            identifiers: [WeeklyReport.identifier(of: member)], pending: true)
        _ = try await session.call(NotificationClear.self, params)
    }

    @LoopActor private static func setChannels(
        _ invocation: Invocation, _ session: Session
    ) async throws {
        var done: String?
        for kind in ChannelKind.allCases {
            let (on, off) = ("--\(kind.rawValue)", "--no-\(kind.rawValue)")
            guard invocation.has(on) || invocation.has(off) else { continue }
            guard invocation.has(on) != invocation.has(off) else {
                throw CommandError(
                    ExitCode.usage, "\(on) and \(off) exclude each other", remedy: "Give one of them.")
            }
            let params = ChannelSet.Params(kind: kind, address: invocation.value(on))
            let answer: ChannelSet.Result
            var waiting: Int64 = 0
            do {
                if params.address == nil { waiting = try await self.waiting(for: kind, session) }
                answer = try await session.call(ChannelSet.self, params)
            } catch {
                if let done { Console.note("This was done before it failed: \(done)") }
                throw error
            }
            if waiting > 0 {
                let reports = waiting == 1 ? "1 report that was" : "\(waiting) reports that were"
                Console.note("\(off) discards \(reports) not sent.")
            }
            done = params.address.map { "\(on) \($0)" } ?? off
            if let secret = answer.secret {
                // Never part of --json, which scripts keep.
                Console.note("The key of its signatures, which is not shown again: \(secret)")
            }
        }
    }

    @LoopActor private static func waiting(
        for kind: ChannelKind, _ session: Session
    ) async throws -> Int64 {
        let channels = try await session.call(ChannelList.self, Nothing()).channels
        return channels.first { $0.kind == kind }?.waiting ?? 0
    }

    private static func text(of channel: Channel) -> String {
        let way = channel.kind == .email ? "mailed" : "posted"
        var text = "Reports are also \(way) to \(channel.address)"
        if let delivered = channel.delivered { text += ", last on \(LocalTime.text(delivered))" }
        guard let problem = channel.problem else {
            return channel.waiting > 0 ? "\(text); \(channel.waiting) not sent yet." : "\(text)."
        }
        guard channel.waiting > 0 else { return "\(text); the newest was given up: \(problem)." }
        let next = channel.next.map { "; tried again on \(LocalTime.text($0))" } ?? ""
        return "\(text); \(channel.waiting) not sent: \(problem)\(next)."
    }

    @LoopActor private static func show(
        _ invocation: Invocation, _ session: Session, _ member: String?
    ) async throws {
        let all = try await session.call(NotificationList.self, NotificationList.Params()).notifications
        let identifiers = WeeklyReport.identifiers(of: member)
        let own = all.filter { $0.client == nil && identifiers.contains($0.identifier) }
        if invocation.has("--json") {
            return Console.print(NotificationList.Result(notifications: own).encoded())
        }
        let channels = try await session.call(ChannelList.self, Nothing()).channels
        if let planned = own.first(where: { $0.state == .scheduled }), let due = planned.due {
            Console.print("The weekly report comes on \(LocalTime.text(due)), and then every week.")
        } else {
            Console.print("No weekly report is switched on; `screentime report weekly --day sunday` does.")
        }
        for channel in channels { Console.print(text(of: channel)) }
        if let waiting = own.first(where: { $0.state == .pending })?.waitingFor {
            Console.note("One is due and waits: \(waiting)")
        }
    }
}
