import Bus
import Contract
import ServiceKit

/// Keeps what is shielded for this person in step with shield-service. Its events only say that something
/// changed and carry the trace; the present state is asked for, so nothing that happened meanwhile is done
/// twice or undone.
@BusActor final class ShieldFollower {
    private let client: RequestClient
    private let runtime: RuntimeDirectory
    private let member: String
    private let log: Log
    private let take: @BusActor ([EffectiveShield], [String: TraceContext]) -> Void
    private var follower: EventFollower?
    private var isAsking = false
    private var isStale = false
    private var isClosed = false
    private var traces: [String: TraceContext] = [:]
    private(set) var problem: String?

    /// - Parameter take: gets all shields of the member, and the traces that led to changes, by subject.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, member: String, log: Log,
        take: @escaping @BusActor ([EffectiveShield], [String: TraceContext]) -> Void
    ) {
        self.client = client
        self.runtime = runtime
        self.member = member
        self.log = log
        self.take = take
    }

    /// How far shield-service's log is taken in; nil: it is not known yet.
    var followed: FollowedLog? {
        guard let follower else { return nil }
        return FollowedLog(
            service: .shield, epoch: follower.cursor.epoch, sequence: follower.cursor.sequence,
            head: max(follower.head, follower.cursor.sequence),
            connected: follower.isConnected && follower.phase == .live)
    }

    func close() {
        isClosed = true
        follower?.close()
    }

    /// Asks for the present state; again when something changed while the answer was on its way.
    func refresh() {
        guard !isAsking, !isClosed else {
            isStale = true
            return
        }
        isAsking = true
        isStale = false
        let trace = traces.values.first
        let options = CallOptions(deadlineMs: AgentLimits.answer_ms, trace: trace)
        client.send(ShieldList.self, ShieldList.Params(member: member), options: options) { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ result: Result<ShieldList.Result, ServiceError>) {
        isAsking = false
        guard !isClosed else { return }
        switch result {
        case .success(let list):
            problem = nil
            follow(from: Cursor(epoch: list.epoch ?? "", sequence: list.sequence))
            let traces = traces
            self.traces = [:]
            take(list.shields, traces)
            if isStale { refresh() }
        case .failure(let error) where error.name == .unavailable || error.name == .deadlineExceeded:
            problem = "shields are as they were: \(error.message)"
            refresh()
        case .failure(let error):
            problem = "shields are as they were: \(error.message)"
            Reactor.shared.after(milliseconds: AgentLimits.pause_ms) { [weak self] in self?.refresh() }
        }
    }

    private func follow(from cursor: Cursor) {
        guard follower == nil else { return }
        let output = FollowerOutput(
            deliver: { [weak self] events, _ in self?.note(events) },
            reset: { [weak self] in self?.refresh() },
            rewound: { [weak self] _, _ in
                // Restored from a backup: its present state is the truth, from its present head on.
                self?.follower = nil
                self?.refresh()
            },
            refused: { [weak self] reason, detail in
                self?.log.warnOnce(
                    reason.rawValue, "an event of shield-service could not be read",
                    [("detail", .text(detail))])
            })
        do throws(SocketError) {
            follower = try EventFollower(.shield, in: runtime, client: client, cursor: cursor, output: output)
        } catch {
            log.error("following shield-service failed", [("reason", .text(error.message))])
        }
    }

    private func note(_ events: [ReceivedEvent]) {
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
            if let subject { traces[subject] = TraceContext(event.event.head.traceparent) }
        }
        if isAny { refresh() }
    }
}
