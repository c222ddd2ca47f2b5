import Contract
import Loop
import Testing
import Units

@testable import Bus

/// A server whose process, or whose clock, stands still in the middle of a turn.
@Suite @LoopActor struct StoppedServerTests {
    /// A ROUTER socket with one message; the clock moves between the server's first look and its arrival.
    private final class Router: RouterSocket {
        var onReady: (@LoopActor () -> Void)?
        var onRoom: (@LoopActor () -> Void)?
        var wantsRoom = false
        var onEnd: (@LoopActor (Int32) -> Void)?
        var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
        var arrives: @LoopActor () -> RouterMessage? = { nil }
        private(set) var answers: [String] = []

        func receive() -> RouterMessage? { arrives() }
        func send(_ answer: [UInt8], to route: Route) -> Sent {
            answers.append(String(decoding: answer, as: UTF8.self))
            return .sent
        }
        func isOpen(_ connection: Connection) -> Bool { true }
        func close() {}
    }

    private final class OneSocket: Transport {
        let loop: EventLoop
        let socket = Router()
        init(_ loop: EventLoop) { self.loop = loop }

        private static let none = SocketError("a server has one socket", errno: 0)
        func dealer(to name: String) throws(SocketError) -> any DealerSocket { throw Self.none }
        func router(of name: String) -> any RouterSocket { socket }
        func publisher(of name: String, topics: [String], queuedMax: Int) throws(SocketError)
            -> any PublisherSocket
        { throw Self.none }
        func subscriber(queuedMax: Int) throws(SocketError) -> any SubscriberSocket { throw Self.none }
    }

    @Test func aRequestThatArrivesAfterTheStopHasNotWaited() throws {
        var nowNs: Int64 = 5_000_000_000
        let transport = OneSocket(EventLoop(clock: { nowNs }, runsAside: false))
        let server = try RequestServer(.auth, in: transport, tracer: Tracer(service: "server"))
        server.answer(MemberList.self) { _, _, reply in reply.succeed(MemberList.Result(members: [])) }
        let body = #"{"jsonrpc":"2.0","id":1,"method":"member.list","deadline":1000}"#
        var isSent = false
        transport.socket.arrives = {
            guard !isSent else { return nil }
            isSent = true
            nowNs += 30_000_000_000
            return RouterMessage(
                route: Route(identity: [1], pid: 1, connection: nil), peer: Peer.own, body: Array(body.utf8))
        }
        transport.socket.onReady?()
        transport.loop.endTurn()
        #expect(transport.socket.answers.count == 1)
        #expect(transport.socket.answers.first?.contains(#""result""#) == true, "\(transport.socket.answers)")
    }
}
