import Contract
import Units

/// What auth-service knows that concerns the covers.
struct AskPicture: Sendable {
    /// Requests for more time of the covers' members, the newest first.
    var requests: [TimeRequest] = []
    var members: [Member] = []
}

/// Something that more time can be asked for.
struct AskSubject: Hashable, Sendable {
    var kind: SubjectKind
    var subject: String

    /// What a cover's person can ask for: the app or site, and the category whose shield covers it.
    static func all(of cover: CoveredWindow) -> [AskSubject] {
        var all = [AskSubject(kind: cover.kind, subject: cover.subject)]
        if let category = cover.category {
            let kind = cover.kind == .domain ? SubjectKind.domainCategory : .category
            all.append(AskSubject(kind: kind, subject: category))
        }
        return all
    }
}

/// What the person chose.
enum AskAction: Equatable, Sendable {
    /// Asks; without minutes: for the rest of the day.
    case more(AskSubject, minutes: Int64?, reason: String?)
    /// Takes one more minute.
    case minute(AskSubject)
    /// Approves the person's own request with this id.
    case allow(String)

    var makesRequest: Bool { if case .more = self { true } else { false } }
}

/// Why what the person chose was not done.
enum AskProblem: Equatable, Sendable {
    case conflict, limit, tooEarly, minuteUsed, unreachable, refused
    /// A request had no answer; it may have been made.
    case unanswered

    init(_ error: ServiceError, _ action: AskAction) {
        let isMinute = if case .minute = action { true } else { false }
        self = switch error.name {
        case .conflict where isMinute, .notAuthorized where isMinute: .minuteUsed
        case .conflict: .conflict
        case .notAuthorized: .tooEarly
        case .limitExceeded, .tooManyRequests: .limit
        case .unavailable, .deadlineExceeded, .shuttingDown: action.makesRequest ? .unanswered : .unreachable
        default: .refused
        }
    }
}

/// What a cover says and offers about more time for its subject. A rule without GTK.
struct AskFace: Equatable, Sendable {
    /// What the built-in secondary button does.
    enum Offer: Equatable, Sendable {
        /// Opens the page.
        case page
        case act(AskAction)
    }

    /// A line of the page: for what to ask.
    struct Choice: Equatable, Sendable {
        var subject: AskSubject
        var text: String
        /// Whether one more minute can be taken.
        var hasMinute: Bool
    }

    /// Nil: there is no such button.
    var offer: Offer? = .page
    /// State of the request, or what went wrong; shown instead of the subtitle, or below it.
    var text: String?
    /// Whether it is shown below the subtitle: the request is over, and the shield may be another since.
    var isBelowSubtitle = false
    /// Whether a request waits for a decision.
    var isPending = false
    /// Who decides, a sentence of the page.
    var decides: String?
    var choices: [Choice]
    /// When it changes by itself.
    var change: Instant?

    /// - Parameters:
    ///   - picture: nil: not known yet.
    ///   - own: member id of the person who sits here.
    ///   - time: the time of day of an instant.
    init(
        _ picture: AskPicture?, for cover: CoveredWindow, own: String, words: Words, now: Instant,
        time: (Instant) -> String
    ) {
        let member = cover.member.isEmpty ? own : cover.member
        let subjects = AskSubject.all(of: cover)
        let known = picture?.requests.filter { request in
            request.member == member
                && subjects.contains(AskSubject(kind: request.kind, subject: request.subject))
        } ?? []
        let asker = picture?.members.first { $0.id == member }
        choices = subjects.map { subject in
            let isTaken = known.contains {
                $0.oneMoreMinute == true && $0.kind == subject.kind && $0.subject == subject.subject
                    && $0.dayEnd > now
            }
            return Choice(
                subject: subject, text: words.ask.subject(subject),
                hasMinute: asker.map { $0.oneMoreMinute != false && !isTaken } ?? false)
        }
        if let picture { decides = Self.decides(picture, asker, member, isOwn: member == own, words.ask) }
        if let pending = known.first(where: { $0.state == .pending && $0.dayEnd > now }) {
            wait(for: pending, picture, words.ask, now, time)
        } else {
            tell(known, words.ask, now, time)
        }
    }

    /// Who decides about a request that is made now.
    private static func decides(
        _ picture: AskPicture, _ asker: Member?, _ member: String, isOwn: Bool, _ words: AskWords
    ) -> String {
        guard !isOwn else {
            return words.ownDelay(asker?.selfApprovalMinutes ?? Member.selfApprovalMinutesDefault)
        }
        return words.othersDecide(guardians(picture, of: member))
    }

    private static func guardians(_ picture: AskPicture, of member: String) -> [String] {
        picture.members.filter { $0.role == .guardian && $0.id != member }
            .compactMap { PlainText.unbroken($0.name, bytesMax: CoverLimits.buttonBytesMax) }
    }

    private mutating func wait(
        for pending: TimeRequest, _ picture: AskPicture?, _ words: AskWords, _ now: Instant,
        _ time: (Instant) -> String
    ) {
        isPending = true
        let isCategory = pending.kind == .category || pending.kind == .domainCategory
        let subject = AskSubject(kind: pending.kind, subject: pending.subject)
        let what = isCategory ? words.subject(subject) : nil
        let asked = words.asked(time(pending.asked), pending.minutes, what)
        let minute = choices.first(where: \.hasMinute).map { Offer.act(.minute($0.subject)) }
        guard let opens = pending.selfApproval else {
            let names = picture.map { Self.guardians($0, of: pending.member) } ?? []
            text = asked + " " + words.othersDecide(names)
            (offer, change) = (minute, pending.dayEnd)
            return
        }
        if opens <= now {
            text = asked + " " + words.ownNow
            (offer, change) = (.act(.allow(pending.id)), pending.dayEnd)
        } else {
            let isTooLate = opens >= pending.dayEnd
            text = asked + " "
                + (isTooLate ? words.expires(time(pending.dayEnd)) : words.ownFrom(time(opens.roundedUp)))
            (offer, change) = (minute, isTooLate ? pending.dayEnd : opens)
        }
    }

    /// How long a cover says that more time is allowed: until it goes.
    private static let approvalShown: Milliseconds = .seconds(10)
    /// How long the end of a request is shown.
    private static let endShown: Milliseconds = .hours(12)

    private mutating func tell(
        _ known: [TimeRequest], _ words: AskWords, _ now: Instant, _ time: (Instant) -> String
    ) {
        let ended = known.filter { $0.state != .pending }
        let last = ended.max { ($0.decided ?? $0.asked) < ($1.decided ?? $1.asked) }
        guard let last else { return }
        switch last.state {
        case .approved:
            // A cover that stands for longer says that what was allowed has been ended since.
            let shown = (last.decided ?? last.asked) + Self.approvalShown
            guard let end = last.end, end > now, shown > now else { return }
            text = words.allowed(time(end))
            change = min(end, shown)
        case .denied where last.dayEnd > now:
            let answer = last.answer.flatMap { PlainText.of($0, bytesMax: CoverLimits.answerBytesMax) }
            text = words.denied(time(last.decided ?? last.asked), answer)
            isBelowSubtitle = true
            change = last.dayEnd
        case .expired where (last.decided ?? last.dayEnd) + Self.endShown > now:
            text = words.expired(time(last.asked))
        case .denied, .expired, .pending, .withdrawn: break
        }
    }
}

extension Instant {
    /// The full minute that is not before it: what is possible from then on is possible then.
    fileprivate var roundedUp: Instant {
        Instant((sinceEpoch + Milliseconds.minute - 1).flooredQuotient(.minute) * Milliseconds.minute)
    }
}

/// The reason that somebody typed or pasted, as a request takes it.
enum AskReason {
    /// Characters and bytes that auth-service accepts.
    static let charactersMax = 500, bytesMax = 2_000

    /// One line within the limits; nil if nothing can be seen.
    static func line(_ typed: String) -> String? {
        guard let plain = PlainText.of(typed, bytesMax: bytesMax) else { return nil }
        var line = plain[...].prefix(charactersMax)
        while line.first?.isWhitespace == true { line.removeFirst() }
        while line.last?.isWhitespace == true { line.removeLast() }
        return line.isEmpty ? nil : String(line)
    }
}
