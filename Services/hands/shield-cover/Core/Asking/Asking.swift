import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Requests for more time that are made at covers, and their state.
@LoopActor final class Asking {
    /// What it needs from outside.
    struct Ports {
        typealias End = @LoopActor (Result<TimeRequest, ServiceError>) -> Void
        var create: @LoopActor (RequestCreate.Params, TraceContext, @escaping End) -> Void
        var decide: @LoopActor (RequestDecide.Params, TraceContext, @escaping End) -> Void
        /// Asks for the requests again.
        var refresh: @LoopActor () -> Void
        var now: @LoopActor () -> Instant
        /// The time of day of an instant.
        var time: (Instant) -> String
    }

    private let ports: Ports
    private let words: Words
    private let tracer: Tracer
    private let log: Log
    private var picture: AskPicture?
    private var timer: (token: TimerToken, due: Instant)?
    /// Called when what covers say may have changed.
    var onChange: (@LoopActor () -> Void)?

    init(_ ports: Ports, words: Words, tracer: Tracer, log: Log) {
        self.ports = ports
        self.words = words
        self.tracer = tracer
        self.log = log
    }

    func close() {
        onChange = nil
        if let timer { EventLoop.main.cancel(timer.token) }
        timer = nil
    }

    /// The requests and members, from auth-service.
    func apply(_ fresh: AskPicture) {
        picture = fresh
        onChange?()
    }

    /// What a cover says and offers now.
    func face(of cover: StandingCover) -> AskFace {
        let now = ports.now()
        var face = AskFace(
            picture, for: cover.about, own: Household.defaultMember, words: words, now: now, time: ports.time)
        if let problem = cover.askProblem, problem != .unanswered || !face.isPending {
            face.text = words.ask.problem(problem)
        }
        if let change = face.change { wait(until: change, now) }
        return face
    }

    /// The earliest change of any cover. After it all covers are painted, and with that the next is found.
    private func wait(until change: Instant, _ now: Instant) {
        if let timer {
            guard change < timer.due else { return }
            EventLoop.main.cancel(timer.token)
        }
        let token = EventLoop.main.after(max(1, min(change - now, CoverLimits.askSleepMax))) { [weak self] in
            self?.timer = nil
            self?.onChange?()
        }
        timer = (token, change)
    }

    /// Does what the person chose. `end` is called when that is done or failed.
    func act(_ action: AskAction, on cover: StandingCover, _ end: @escaping @LoopActor () -> Void) {
        cover.askProblem = nil
        let span = tracer.start("ask", .internal, parent: nil)
        let generation = cover.generation
        let finish: Ports.End = { [weak self, weak cover] result in
            guard let self else { return }
            switch result {
            case .success(let request):
                tracer.end(span)
                learn(request)
            case .failure(let error):
                tracer.end(span, outcome: error.name.rawValue)
                log.warning("a request for more time failed", [("error", .text(error.name.rawValue))])
                if let cover, cover.generation == generation { cover.askProblem = AskProblem(error, action) }
                // Somebody else may have asked or decided.
                ports.refresh()
            }
            onChange?()
            end()
        }
        let member = cover.about.member.isEmpty ? nil : cover.about.member
        switch action {
        case .more(let subject, let minutes, let reason):
            let params = RequestCreate.Params(
                member: member, kind: subject.kind, subject: subject.subject, minutes: minutes,
                reason: reason.flatMap(AskReason.line))
            ports.create(params, span.context, finish)
        case .minute(let subject):
            let params = RequestCreate.Params(
                member: member, kind: subject.kind, subject: subject.subject, oneMoreMinute: true)
            ports.create(params, span.context, finish)
        case .allow(let id):
            ports.decide(RequestDecide.Params(id: id, decision: .approve), span.context, finish)
        }
    }

    /// The answer arrives before the event.
    private func learn(_ request: TimeRequest) {
        var known = picture ?? AskPicture()
        known.requests.removeAll { $0.id == request.id }
        known.requests.insert(request, at: 0)
        picture = known
    }
}
