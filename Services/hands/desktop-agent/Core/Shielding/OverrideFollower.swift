import Bus
import Contract
import Loop
import ServiceKit

/// Keeps the categories that the person gave to apps in step with activity-center. All others the desktop
/// entries tell, which lie here.
@LoopActor final class OverrideFollower {
    private let state: StateFollower<[String: String]>

    /// - Parameter take: gets the categories by app.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, log: Log,
        take: @escaping @LoopActor ([String: String]) -> Void
    ) {
        state = StateFollower(
            .activity, client, in: runtime, log: log,
            ask: { Self.ask(client, after: nil, known: [:], $0) },
            isChange: { $0.contains { $0.type == CatalogChanged.type } }, take: take)
    }

    var followed: FollowedLog? { state.followed }
    var problem: String? { state.problem }
    func close() { state.close() }
    func refresh() { state.refresh() }

    /// Page after page.
    private static func ask(
        _ client: RequestClient, after: String?, known: [String: String],
        _ tell: @escaping @LoopActor (StateFollower<[String: String]>.Answer) -> Void
    ) {
        let params = CatalogList.Params(kind: .app, source: .person, after: after)
        let options = CallOptions(deadline: AgentLimits.answer)
        client.send(CatalogList.self, params, options: options) { result in
            switch result {
            case .failure(let error): tell(.failure(error))
            case .success(let page):
                var known = known
                for item in page.items { known[item.subject] = item.category }
                guard let next = page.next else { return tell(.success(known)) }
                ask(client, after: next, known: known, tell)
            }
        }
    }
}
