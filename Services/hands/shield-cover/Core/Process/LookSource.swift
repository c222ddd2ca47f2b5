import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Asks shield-service how the shields of all covers look, at first and whenever one may have changed.
@LoopActor final class LookSource {
    private let client: RequestClient
    private let subjects: @LoopActor () -> Set<CoverSubject>
    private let receive: @LoopActor ([CoverSubject: ShieldLook]) -> Void
    private let state: StateFollower<[CoverSubject: ShieldLook]>

    /// - Parameters:
    ///   - words: the person's language.
    ///   - unreachable: called when shield-service cannot be reached.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, words: Words, log: Log,
        subjects: @escaping @LoopActor () -> Set<CoverSubject>,
        receive: @escaping @LoopActor ([CoverSubject: ShieldLook]) -> Void,
        unreachable: @escaping @LoopActor () -> Void
    ) {
        self.client = client
        self.subjects = subjects
        self.receive = receive
        state = StateFollower(
            .shield, client, in: runtime, log: log, answer: CoverLimits.look, pause: CoverLimits.pause,
            ask: { Self.ask(client, words, subjects(), $0) }, isChange: { Self.concern(subjects(), $0) },
            receive: receive)
        state.onProblem = { problem in if problem != nil { unreachable() } }
    }

    var problem: String? { state.problem }
    func refresh() { state.refresh() }
    func close() { state.close() }

    private typealias Answer = Result<[CoverSubject: ShieldLook], ServiceError>

    private static func ask(
        _ client: RequestClient, _ words: Words, _ subjects: Set<CoverSubject>,
        _ end: @escaping @LoopActor (Answer) -> Void
    ) {
        guard !subjects.isEmpty else { return end(.success([:])) }
        let collection = Collection(count: subjects.count, words, end)
        for subject in subjects {
            let params = ShieldScreenRead.Params(
                member: subject.member.isEmpty ? nil : subject.member, kind: subject.kind,
                subject: subject.subject)
            client.send(
                ShieldScreenRead.self, params, options: CallOptions(deadline: CoverLimits.look)
            ) { collection.take(subject, $0) }
        }
    }

    /// The answers to one round of requests.
    @LoopActor private final class Collection {
        private var looks: [CoverSubject: ShieldLook] = [:]
        private var missing: Int
        private var failure: ServiceError?
        private let words: Words
        private let end: @LoopActor (Answer) -> Void

        init(count: Int, _ words: Words, _ end: @escaping @LoopActor (Answer) -> Void) {
            missing = count
            self.words = words
            self.end = end
        }

        func take(_ subject: CoverSubject, _ result: Result<ShieldScreenRead.Result, ServiceError>) {
            switch result {
            case .success(let answer): looks[subject] = answer.screen.look(in: words)
            // It is shielded no more, and its cover will be removed: the default look stays until then.
            case .failure(let error) where error.name == .notFound: break
            case .failure(let error): failure = error
            }
            missing -= 1
            guard missing == 0 else { return }
            end(failure.map { .failure($0) } ?? .success(looks))
        }
    }

    private static func concern(_ subjects: Set<CoverSubject>, _ events: [ReceivedEvent]) -> Bool {
        events.contains { event in
            switch event.type {
            case ShieldConfigured.type:
                // Without data because it was erased, or not readable: the look may have changed.
                guard let screen = (try? ShieldConfigured.decode(event.event.data?.bytes ?? []))?.screen
                else { return true }
                return subjects.contains { $0.kind == screen.kind && $0.subject == screen.subject }
            // Another store may determine the look now.
            case ShieldApplied.type, ShieldLifted.type, ShieldCoverageChanged.type: return true
            default: return false
            }
        }
    }
}

extension ShieldScreen {
    /// The look; what the system writes of it is in the person's language.
    func look(in words: Words) -> ShieldLook {
        guard origin == .system else { return look }
        var own = ShieldLook()
        guard let shieldedBy else { return own }
        let (title, text) = words.limit(self, shieldedBy)
        own.title = ShieldLabel(text: title, color: nil)
        own.subtitle = ShieldLabel(text: text, color: nil)
        return own
    }
}
