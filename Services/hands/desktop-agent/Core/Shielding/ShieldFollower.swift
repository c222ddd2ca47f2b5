import Bus
import Contract
import Loop
import ServiceKit

/// Keeps what is shielded for this person in step with shield-service; its events also carry the traces.
@LoopActor final class ShieldFollower {
    private let state: StateFollower<[EffectiveShield]>
    private let traces: Traces

    /// What led to changes, by subject, since the state was asked for last.
    @LoopActor private final class Traces { var bySubject: [String: TraceContext] = [:] }

    /// - Parameter take: gets all shields of the member, and the traces that led to changes, by subject.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, member: String, log: Log,
        take: @escaping @LoopActor ([EffectiveShield], [String: TraceContext]) -> Void
    ) {
        let traces = Traces()
        self.traces = traces
        state = StateFollower(
            .shield, client, in: runtime, log: log,
            ask: { tell in
                let options = CallOptions(
                    deadline: AgentLimits.answer, trace: traces.bySubject.values.first)
                client.send(ShieldList.self, ShieldList.Params(member: member), options: options) {
                    tell($0.map(\.shields))
                }
            },
            isChange: { Self.note($0, traces) },
            take: { shields in
                let noted = traces.bySubject
                traces.bySubject = [:]
                take(shields, noted)
            })
    }

    var followed: FollowedLog? { state.followed }
    var problem: String? { state.problem }
    func close() { state.close() }
    func refresh() { state.refresh() }

    private static func note(_ events: [ReceivedEvent], _ traces: Traces) -> Bool {
        var isAny = false
        for event in events {
            guard let raw = event.event.data else { continue }
            let subject: String?
            switch event.type {
            // An event of a newer version that cannot be read still says that something changed.
            case ShieldApplied.type: subject = (try? ShieldApplied.decode(raw.bytes))?.shield.subject
            case ShieldLifted.type: subject = (try? ShieldLifted.decode(raw.bytes))?.subject
            default: continue
            }
            isAny = true
            if let subject { traces.bySubject[subject] = TraceContext(event.event.head.traceparent) }
        }
        return isAny
    }
}
