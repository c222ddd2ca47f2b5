import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus
import Time

/// What one peer asks for does not keep the others waiting: connections take turns.
@Suite @LoopActor struct FairTurnTests {
    @Test func anotherIsAnsweredBeforeAFloodOfBatchesIsHandled() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let client = try server.client()
        _ = try await client.call(MemberList.self, Nothing())
        let flood = try OpenRequestsTests.Peer(place.directory)
        let one = #"{"jsonrpc":"2.0","id":1,"method":"member.list","deadline":600000}"#
        let batch = "[" + Array(repeating: one, count: 100).joined(separator: ",") + "]"
        let answered = Expectation<Int>("the answer of another")
        var isAnswered = false
        server.willAnswer = { count in
            if !isAnswered { Self.takeAMoment() }
            // In the middle of the flood.
            guard count == 150 else { return }
            client.send(MemberList.self, Nothing(), options: CallOptions(deadline: 60_000)) { _ in
                isAnswered = true
                answered.fulfil(server.asked.count)
            }
        }
        for _ in 0..<60 { try await flood.send(batch) }
        let handled = try await answered.wait() - 150
        #expect(handled <= 2_000, "\(handled) of 6,000 requests of the flood were handled first")
        // None is lost.
        while flood.answers < 60 {
            try flood.read()
            await Task.yield()
        }
        #expect(server.asked.count == 6_002)
    }

    @Test func aBatchWhoseAnswerIsRefusedIsNotHandledToItsEnd() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        server.name = String(repeating: "x", count: 400_000)
        try server.start()
        let peer = try OpenRequestsTests.Peer(place.directory)
        let one = #"{"jsonrpc":"2.0","id":1,"method":"member.list"}"#
        try await peer.send("[" + Array(repeating: one, count: 100).joined(separator: ",") + "]")
        while peer.answers < 1 {
            try peer.read()
            await Task.yield()
        }
        #expect(peer.names == ["limitExceeded": 1])
        #expect(server.asked.count == 3)
        #expect(server.server?.open.bytes == 0)
    }

    private static func question(_ id: Int, _ more: String = "") -> [UInt8] {
        let id = id == 0 ? "" : #""id":\#(id),"#
        return BarePeer.frame(Array(#"{"jsonrpc":"2.0",\#(id)"method":"member.list"\#(more)}"#.utf8))
    }

    /// The flood would take six seconds: libzmq's thread, which delivers the other request, may have to wait
    /// for a processor.
    private static func takeAMoment() {
        let end = MonotonicClock.nowNs + 1_000_000
        while MonotonicClock.nowNs < end {}
    }

    /// Longer than the delay after which abandoned requests are detected.
    private static func takeLong() {
        let end = MonotonicClock.now + BusOptions.abandonmentCheckDelay + 100
        while MonotonicClock.now < end {}
    }

    /// Abandoned requests are not handled: otherwise a flood whose senders are gone would keep the server
    /// busy for minutes. Notifications are always handled.
    @Test func whatWaitedBeyondItsDeadlineIsNotBegun() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let peer = try BarePeer(place.directory.socketPath(.auth, .requests))
        await peer.say(BarePeer.signature + BarePeer.ready("DEALER"))
        await peer.hearReady()
        // They come together; the first one takes long.
        server.willAnswer = { count in if count == 1 { Self.takeLong() } }
        let brief = #","deadline":1000"#
        let all = [Self.question(1), Self.question(2, brief), Self.question(3), Self.question(0, brief)]
        await peer.say(all.flatMap(\.self))
        while !String(decoding: peer.received, as: UTF8.self).contains(#""id":3"#) || server.asked.count < 3 {
            peer.listen()
            await Task.yield()
        }
        #expect(server.asked.count == 3 && server.refusals == [.overdue])
        #expect(String(decoding: peer.received, as: UTF8.self).contains("deadlineExceeded"))
    }

    @Test func whatNobodyWaitsForAnyMoreIsNotBegun() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        var peer: BarePeer? = try BarePeer(place.directory.socketPath(.auth, .requests))
        await peer?.say(BarePeer.signature + BarePeer.ready("DEALER"))
        await peer?.hearReady()
        let left = Expectation<Void>("the asker left")
        server.willAnswer = { count in
            guard count == 1 else { return }
            peer = nil
            Self.takeLong()
            left.fulfil(())
        }
        await peer?.say(Self.question(1) + Self.question(2) + Self.question(3))
        try await left.wait()
        try await eventually("two are overdue") { server.refusals.count { $0 == .overdue } >= 2 }
        #expect(server.asked.count == 1)
        _ = try await server.client().call(MemberList.self, Nothing())
    }

    /// A server that stood still receives it late, and nobody knows how late.
    /// - Parameter isLate: whether libzmq has closed the connection when the server receives it.
    @Test(arguments: [false, true])
    func aWriteWhoseCallerHasLeftIsNotBegunHoweverLateItIsReceived(isLate: Bool) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let path = place.directory.socketPath(.auth, .requests)
        for (more, asked) in [(#","idempotency_key":"a""#, 0), ("", 1)] {
            var peer: BarePeer? = try BarePeer(path)
            await peer?.say(BarePeer.signature + BarePeer.ready("DEALER"))
            await peer?.hearReady()
            // This test and the server take turns: it receives nothing before the caller has left.
            await peer?.say(Self.question(1, more))
            peer = nil
            if isLate { Self.takeLong() }
            try await eventually("it is received") { !server.refusals.isEmpty && server.asked.count == asked }
        }
        #expect(server.refusals.count { $0 == .overdue } == 1)
    }

    /// Whoever has many connections has no more turns for it.
    @Test func processesTakeTurnsAndOfEachItsConnections() throws {
        let queue = RequestQueue()
        func add(_ pid: Int32, _ connection: UInt8, _ count: Int) {
            for _ in 0..<count {
                let route = Route(identity: [connection], hasDelimiter: false)
                let peer = Peer(uid: 0, gid: 0, pid: pid)
                #expect(queue.add(.init(bytes: [], route: route, peer: peer, received: 0)) == nil)
            }
        }
        let many = getpid()
        for connection in 1...3 { add(many, UInt8(connection), 2) }
        add(1, 9, 3)
        var turns: [UInt8] = []
        while let line = queue.next() {
            turns += line.identity
            queue.end(line)
        }
        #expect(turns == [1, 9, 2, 9, 3, 9, 1, 2, 3] && queue.isEmpty && queue.bytes == 0)
    }
}
