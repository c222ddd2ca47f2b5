import Contract
import Loop

/// Answers that libzmq did not take, because their peer does not read fast enough: in the order in which they
/// were given, counted in bytes. A peer over its budget loses them all and gets no more: a ROUTER cannot
/// disconnect anybody, and what a peer leaves unread must not become this process's memory.
@LoopActor final class AnswerBacklog {
    /// Peers remembered as those that get no more; the oldest is forgotten, and begins with a new budget.
    static let mutedMax = 4_096

    private final class Waiting {
        let route: Route
        var answers: [[UInt8]] = []
        /// How many of them were sent.
        var sent = 0
        var bytes = 0
        init(_ route: Route) { self.route = route }

        /// Lets go of what was sent, now and then.
        func compact() {
            guard sent >= 1_024, sent * 2 > answers.count else { return }
            answers.removeFirst(sent)
            sent = 0
        }
    }

    private var waiting: [[UInt8]: Waiting] = [:]
    /// Of all that wait.
    private(set) var bytes = 0
    private var muted: Set<[UInt8]> = []
    private var mutedOrder: [[UInt8]] = []

    var isEmpty: Bool { waiting.isEmpty }

    func isMuted(_ identity: [UInt8]) -> Bool { !muted.isEmpty && muted.contains(identity) }
    func holds(_ route: Route) -> Bool { !waiting.isEmpty && waiting[route.identity] != nil }

    /// Keeps an answer for later.
    /// - Returns: the peer that went over a budget by it and gets no more, with the bytes it left unread.
    func add(_ answer: [UInt8], _ route: Route) -> (route: Route, bytes: Int)? {
        let peer = waiting[route.identity] ?? Waiting(route)
        waiting[route.identity] = peer
        peer.answers.append(answer)
        peer.bytes += answer.count
        bytes += answer.count
        if peer.bytes > Limits.unreadBytesPerPeerMax { return mute(peer) }
        // Together it is too much: whoever leaves the most unread is the one.
        guard bytes > Limits.unreadBytesMax else { return nil }
        return waiting.values.max { $0.bytes < $1.bytes }.map(mute)
    }

    private func mute(_ peer: Waiting) -> (route: Route, bytes: Int) {
        let identity = peer.route.identity
        drop(peer)
        if muted.insert(identity).inserted { mutedOrder.append(identity) }
        if mutedOrder.count > Self.mutedMax { muted.remove(mutedOrder.removeFirst()) }
        return (peer.route, peer.bytes)
    }

    private func drop(_ peer: Waiting) {
        waiting[peer.route.identity] = nil
        bytes -= peer.bytes
    }

    /// Sends what can be sent, each peer's answers in their order.
    func flush(_ send: (_ answer: [UInt8], Route) -> Socket.Sent) {
        for peer in Array(waiting.values) { flush(peer, send) }
    }

    private func flush(_ peer: Waiting, _ send: (_ answer: [UInt8], Route) -> Socket.Sent) {
        while peer.sent < peer.answers.count {
            let answer = peer.answers[peer.sent]
            switch send(answer, peer.route) {
            case .wouldBlock: return
            // It has left; so has what waited for it.
            case .noSuchPeer: return drop(peer)
            case .sent:
                peer.answers[peer.sent] = []
                peer.sent += 1
                peer.bytes -= answer.count
                bytes -= answer.count
                peer.compact()
            }
        }
        drop(peer)
    }
}
