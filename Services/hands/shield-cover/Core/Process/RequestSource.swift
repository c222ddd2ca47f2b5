import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Asks auth-service for the requests for more time of the covers' members, at first and after each change.
@LoopActor final class RequestSource {
    private let state: StateFollower<AskPicture>

    /// - Parameter subjects: of the covers that stand.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, log: Log,
        subjects: @escaping @LoopActor () -> Set<CoverSubject>,
        receive: @escaping @LoopActor (AskPicture) -> Void
    ) {
        state = StateFollower(
            .auth, client, in: runtime, log: log, answer: CoverLimits.look, pause: CoverLimits.pause,
            ask: { Self.ask(client, subjects(), $0) },
            isChange: { events in events.contains { Self.types.contains($0.type) } },
            receive: receive)
    }

    private static let types = [RequestCreated.type, RequestDecided.type, MemberChanged.type]

    var problem: String? { state.problem }
    func refresh() { state.refresh() }
    func close() { state.close() }

    private typealias Answer = Result<AskPicture, ServiceError>

    private static func ask(
        _ client: RequestClient, _ subjects: Set<CoverSubject>, _ end: @escaping @LoopActor (Answer) -> Void
    ) {
        let members = Set(subjects.map { $0.member.isEmpty ? Household.defaultMember : $0.member }).sorted()
        guard !members.isEmpty else { return end(.success(AskPicture())) }
        let collection = Collection(count: members.count + 1, end)
        let options = CallOptions(deadline: CoverLimits.look)
        client.send(MemberList.self, Nothing(), options: options) { result in
            collection.take(result) { $0.members = $1.members }
        }
        for member in members {
            let params = RequestList.Params(member: member, limit: CoverLimits.requestsRead)
            client.send(RequestList.self, params, options: options) { result in
                collection.take(result) { $0.requests += $1.requests }
            }
        }
    }

    /// The answers to one round of requests.
    @LoopActor private final class Collection {
        private var picture = AskPicture()
        private var missing: Int
        private var failure: ServiceError?
        private let end: @LoopActor (Answer) -> Void

        init(count: Int, _ end: @escaping @LoopActor (Answer) -> Void) {
            missing = count
            self.end = end
        }

        func take<Value>(_ result: Result<Value, ServiceError>, _ add: (inout AskPicture, Value) -> Void) {
            switch result {
            case .success(let value): add(&picture, value)
            // The member was removed, and the cover will be.
            case .failure(let error) where error.name == .notFound: break
            case .failure(let error): failure = error
            }
            missing -= 1
            guard missing == 0 else { return }
            end(failure.map { .failure($0) } ?? .success(picture))
        }
    }
}
