import Bus
import CommandKit
import Contract
import JSON
import Loop
import Rules
import Units

extension Screentime {
    static let requestCommands = [
        Command(
            "requests",
            options: [
                Option(
                    "--state", "STATE", "Only pending, approved, denied, withdrawn or expired ones.",
                    values: .cases(of: RequestState.self)),
                Option("--member", "MEMBER", "Name or id of a member; default: all."), .json,
            ],
            summary: "List requests for more time, the newest first.",
            action: { try await listRequests($0) }),
        Command(
            "request", ["SUBJECT"],
            options: [
                Option("--minutes", "N", "How many, 1 to 1440; default: the rest of the member's day."),
                Option("--reason", "WORDS", "Why, in one line of up to 500 characters."),
                Option("--one-more-minute", nil, "One minute at once, without asking, once a day."),
                .member, .json,
            ],
            summary: "Ask for more time with an app, a domain or a category.",
            details: """
                SUBJECT is app:ID, domain:HOST, category:NAME (of apps) or domain_category:NAME; without such
                a word it is what is shielded by that name, what the catalogue knows, or a category; `all`
                is every category of apps. A guardian decides; about your own request you decide, after the
                delay of `screentime member set`. A request expires at the end of the member's day.
                """,
            action: { try await makeRequest($0) }),
        Command(
            "requests approve", ["ID"],
            options: [
                Option("--minutes", "N", "Grant these, 1 to 1440; default: what was asked for."), says, .json,
            ],
            summary: "Approve a request for more time; the beginning of its id is enough.",
            action: { try await decideRequest($0, .approve) }),
        Command(
            "requests deny", ["ID"], options: [says, .json], summary: "Deny a request for more time.",
            action: { try await decideRequest($0, .deny) }),
        Command(
            "requests withdraw", ["ID"], options: [.json], summary: "Take a pending request back.",
            action: { try await withdrawRequest($0) }),
    ]

    private static let says = Option("--say", "WORDS", "Words for who asked, up to 500 characters.")

    @LoopActor private static func listRequests(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let params = RequestList.Params(
            member: try await session.memberID(invocation.value("--member")),
            state: invocation.value("--state").flatMap(RequestState.init(rawValue:)))
        let found = try await requests(session, params)
        if invocation.has("--json") {
            Console.print(RequestList.Result(requests: found).encoded())
            return ExitCode.ok
        }
        let names = try await session.memberNames()
        let ended = await endedEarly(found, session)
        var table = TextTable([
            "ID", "MEMBER", "KIND", "SUBJECT", "TIME", "STATE", "ASKED", "UNTIL", "REASON",
        ])
        for request in found {
            table.add([
                request.id, names[request.member] ?? request.member, request.kind.rawValue, readable(request),
                length(request.state == .approved ? request.granted : request.minutes),
                ended.contains(request.id) ? "approved, ended" : request.state.rawValue,
                LocalTime.text(request.asked),
                request.end.map(LocalTime.end) ?? "-", request.reason ?? "",
            ])
        }
        table.printAll()
        return ExitCode.ok
    }

    @LoopActor private static func requests(
        _ session: Session, _ wanted: RequestList.Params
    ) async throws -> [TimeRequest] {
        var (params, found) = (wanted, [TimeRequest]())
        while true {
            let page = try await session.call(RequestList.self, params)
            found += page.requests
            guard page.more == true, let last = page.requests.last else { return found }
            params.before = last.id
        }
    }

    /// Those that were approved and whose exception was ended before its time, by their ids. Only
    /// shield-service knows that; if it does not answer, that is noted.
    @LoopActor private static func endedEarly(
        _ requests: [TimeRequest], _ session: Session
    ) async -> Set<String> {
        let approved = requests.filter { $0.state == .approved }
        guard !approved.isEmpty else { return [] }
        do throws(ServiceError) {
            let clock = try await session.call(ClockStatus.self, ClockWait())
            let running = approved.filter { ($0.end ?? clock.now) > clock.now }
            guard !running.isEmpty else { return [] }
            let options = CallOptions(deadline: 5_000, notBefore: [Position(.auth, clock.head)])
            let list = try await session.call(ExceptionList.self, ExceptionList.Params(), options: options)
            // One that is left out of the list may run.
            guard list.leftOut == nil else { return [] }
            return Set(running.map(\.id)).subtracting(list.exceptions.map(\.id))
        } catch {
            Console.note("Whether something approved was ended is not known: \(error.message).")
            return []
        }
    }

    @LoopActor private static func makeRequest(_ invocation: Invocation) async throws -> Int32 {
        let minutes = try invocation.number("--minutes", in: 1...1_440).map(Int64.init)
        if invocation.has("--one-more-minute"), minutes != nil || invocation.value("--reason") != nil {
            throw CommandError(
                ExitCode.usage, "--one-more-minute has neither --minutes nor --reason",
                remedy: "Leave it or both out.")
        }
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member"))
        let (kind, subject) = try await subject(invocation.arguments[0], member, session)
        let result = try await session.call(
            RequestCreate.self,
            RequestCreate.Params(
                member: member, kind: kind, subject: subject, minutes: minutes,
                oneMoreMinute: invocation.has("--one-more-minute") ? true : nil,
                reason: invocation.value("--reason")))
        let request = result.request
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        if request.state == .approved, let end = request.end {
            Console.print("One more minute with \(readable(request)), until \(LocalTime.end(end)).")
            return ExitCode.ok
        }
        Console.print("\(request.id): asked for \(length(request.minutes)) with \(readable(request)).")
        guard let opens = request.selfApproval else { return ExitCode.ok }
        if opens >= request.dayEnd {
            Console.note(
                "It expires at \(LocalTime.end(request.dayEnd)), before you could approve it yourself.")
        } else {
            Console.note(
                "You can approve it from \(LocalTime.end(opens)) on: screentime requests approve "
                    + request.id)
        }
        return ExitCode.ok
    }

    @LoopActor private static func subject(
        _ typed: String, _ member: String?, _ session: Session
    ) async throws -> (SubjectKind, String) {
        let parts = typed.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let kind = SubjectKind(rawValue: parts[0]) { return (kind, parts[1]) }
        if let shielded = try await session.shielded(as: typed, of: member) { return shielded }
        let item = try await session.call(CatalogResolve.self, CatalogTarget(target: typed))
        if item.kind == .domain { return (.domain, item.subject) }
        if item.isEntered { return (.app, item.subject) }
        if let category = Categories.named(typed) { return (.category, category) }
        if try await session.isListed(app: item.subject) { return (.app, item.subject) }
        if typed.lowercased() == ShieldPolicy.everyCategory { return (.category, ShieldPolicy.everyCategory) }
        throw CommandError(
            "there is no app, site or category '\(VisibleText.escaped(typed))' here",
            remedy: "Name it as app:ID, domain:HOST, category:NAME or domain_category:NAME.")
    }

    @LoopActor private static func decideRequest(
        _ invocation: Invocation, _ decision: Decision
    ) async throws -> Int32 {
        let minutes =
            decision == .approve ? try invocation.number("--minutes", in: 1...1_440).map(Int64.init) : nil
        let session = try invocation.session()
        let result = try await session.call(
            RequestDecide.self,
            RequestDecide.Params(
                id: try await requestID(invocation.arguments[0], session), decision: decision,
                minutes: minutes, answer: invocation.value("--say")))
        if !invocation.has("--json"), await !endedEarly([result.request], session).isEmpty {
            throw CommandError(
                "\(result.request.id) was approved before, and what it opened was ended since",
                remedy: "Make a new request.")
        }
        return show(result.request, invocation, result.encoded())
    }

    @LoopActor private static func withdrawRequest(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let id = try await requestID(invocation.arguments[0], session)
        let result = try await session.call(RequestWithdraw.self, RequestWithdraw.Params(id: id))
        return show(result.request, invocation, result.encoded())
    }

    @LoopActor private static func requestID(_ typed: String, _ session: Session) async throws -> String {
        try unambiguous(
            typed, among: try await requests(session, RequestList.Params()).map(\.id), "request",
            list: "screentime requests")
    }

    @LoopActor private static func show(
        _ request: TimeRequest, _ invocation: Invocation, _ answer: [UInt8]
    ) -> Int32 {
        if invocation.has("--json") {
            Console.print(answer)
        } else if let end = request.end {
            Console.print(
                "\(request.id): approved \(length(request.granted)) with \(readable(request)), until "
                    + "\(LocalTime.end(end)).")
        } else {
            Console.print("\(request.id) is \(request.state.rawValue).")
        }
        return ExitCode.ok
    }

    private static func readable(_ request: TimeRequest) -> String {
        request.kind.readable(request.subject)
    }

    private static func length(_ minutes: Int64?) -> String { EnglishWords.length(minutes: minutes) }
}
