import Contract
import Loop

/// Answers that libzmq did not accept because their peer reads too slowly. Each peer's answers stay in order
/// and are counted in bytes. A peer over its budget loses all of them and receives no more: a ROUTER socket
/// cannot disconnect a peer, and answers that nobody reads must not fill this process's memory.
@LoopActor final class AnswerBacklog {
    /// Number of muted peers that are remembered. Beyond it the oldest is forgotten and starts with a new
    /// budget.
    static let mutedMax = 4_096

    private final class Waiting {
        let route: Route
        var answers: [[UInt8]] = []
        /// Number of leading `answers` that are sent; their bytes are released.
        var sent = 0
        var bytes = 0
        init(_ route: Route) { self.route = route }

        /// Removes the sent answers from the front of the array once they are more than half of it.
        func compact() {
            guard sent >= 1_024, sent * 2 > answers.count else { return }
            answers.removeFirst(sent)
            sent = 0
        }
    }

    private var waiting: [[UInt8]: Waiting] = [:]
    /// Sum over all peers.
    private(set) var bytes = 0
    private var muted: Set<[UInt8]> = []
    private var mutedOrder: [[UInt8]] = []

    var isEmpty: Bool { waiting.isEmpty }

    func isMuted(_ identity: [UInt8]) -> Bool { !muted.isEmpty && muted.contains(identity) }
    func holds(_ route: Route) -> Bool { !waiting.isEmpty && waiting[route.identity] != nil }

    /// Queues an answer until its peer can receive it.
    /// - Returns: the peer that this answer put over a budget, if any, with the bytes it left unread. It is
    ///   muted.
    func add(_ answer: [UInt8], _ route: Route) -> (route: Route, bytes: Int)? {
        let peer = waiting[route.identity] ?? Waiting(route)
        waiting[route.identity] = peer
        // Without the spare room of the buffer in which it was written, which would not count.
        peer.answers.append([UInt8](unsafeUninitializedCapacity: answer.count) { room, count in
            count = room.initialize(fromContentsOf: answer)
        })
        peer.bytes += answer.count
        bytes += answer.count
        if peer.bytes > Limits.unreadBytesPerPeerMax { return mute(peer) }
        // The sum is over its limit: mute the peer with the most unread bytes.
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

    /// Sends as much as possible, each peer's answers in order.
    func flush(_ send: (_ answer: [UInt8], Route) -> Sent) {
        for peer in Array(waiting.values) { flush(peer, send) }
    }

    private func flush(_ peer: Waiting, _ send: (_ answer: [UInt8], Route) -> Sent) {
        while peer.sent < peer.answers.count {
            let answer = peer.answers[peer.sent]
            switch send(answer, peer.route) {
            case .wouldBlock: return
            // The peer has disconnected; drop its answers.
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
