import Bus
import Contract
import ServiceKit
import Units

/// A button of the question about a request.
enum RequestButton: String {
    /// Approves 15 minutes.
    case quarter = "approve15"
    /// Approves what was asked for.
    case approve
    case deny

    static let quarterMinutes: Int64 = 15
}

/// Asks who may decide a request for more time.
extension AuthService {
    /// Stores the question, and shows it after the commit.
    func askAboutRequest(_ pending: TimeRequest, _ transaction: Transaction) throws {
        let question = try requestQuestions.ask(pending.id)
        let trace = transaction.trace
        let post = try post(question, pending)
        transaction.afterCommit { [unowned self] in prompt(question, post, trace) }
    }

    func promptAboutRequest(_ question: Question, _ pending: TimeRequest, _ trace: TraceContext?) throws {
        prompt(question, try post(question, pending), trace)
    }

    private func post(_ question: Question, _ request: TimeRequest) throws -> NotificationPost.Params {
        let name = try members.find(id: request.member)?.name ?? request.member
        let (title, text) = words.request(request.selfApproval == nil ? name : nil, request)
        var lines = [text]
        if let also = words.alsoOpens(request) { lines.append(also) }
        if let reason = request.reason { lines.append(VisibleText.quoted(reason)) }
        lines.append(words.inTerminal("screentime requests approve \(request.id)"))
        return NotificationPost.Params(
            identifier: question.identifier, title: title, body: lines.joined(separator: "\n"),
            actions: buttons(for: request), urgency: .normal, member: request.member)
    }

    private func buttons(for request: TimeRequest) -> [NotificationAction] {
        var buttons: [NotificationAction] = []
        // No more than was asked for.
        let asked: Milliseconds = request.minutes.map { .minutes($0) } ?? request.dayEnd - time.now
        if asked > .minutes(RequestButton.quarterMinutes) {
            buttons.append(
                NotificationAction(
                    key: RequestButton.quarter.rawValue,
                    label: words.length(RequestButton.quarterMinutes)))
        }
        let whole = words.length(request.minutes)
        buttons.append(
            NotificationAction(
                key: RequestButton.approve.rawValue, label: whole.prefix(1).uppercased() + whole.dropFirst()))
        buttons.append(NotificationAction(key: RequestButton.deny.rawValue, label: words.deny))
        return buttons
    }

    /// A button of an open question was pressed. It cannot return an error to the person; a refused one is
    /// logged, and the question stays. One that comes before the clock is judged is kept until then: the
    /// notification is off the screen, and other buttons must not wait for it.
    func pressOnRequest(_ question: Question, _ key: String, _ transaction: Transaction) throws {
        guard let button = RequestButton(rawValue: key) else { return }
        var params = RequestDecide.Params(id: question.about, decision: button == .deny ? .deny : .approve)
        if button == .quarter { params.minutes = RequestButton.quarterMinutes }
        do { _ = try decideRequest(params, transaction) } catch let error as ServiceError
            where error.name == .unavailable
        {
            try requestQuestions.keep(key, of: question)
        } catch let error as ServiceError
            where [.notAuthorized, .conflict, .notFound].contains(error.name)
        {
            service.log.warning(
                "a button of a request for more time was refused",
                [("request", .text(question.about)), ("error", .text(error.name.rawValue))])
        }
    }
}
