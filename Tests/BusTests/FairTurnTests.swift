import Contract
import TestSupport
import Testing

@testable import Bus

/// What one peer asks for does not keep the others waiting: connections take turns.
@Suite @BusActor struct FairTurnTests {
    @Test func anotherIsAnsweredBeforeAFloodOfBatchesIsHandled() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let client = try server.client()
        _ = try await client.call(MemberList.self, Nothing())
        let flood = try OpenRequestsTests.Peer(place.directory)
        let one = #"{"jsonrpc":"2.0","id":1,"method":"member.list"}"#
        let batch = "[" + Array(repeating: one, count: 100).joined(separator: ",") + "]"
        let answered = Expectation<Int>("the answer of another")
        server.willAnswer = { count in
            // In the middle of the flood.
            guard count == 150 else { return }
            client.send(MemberList.self, Nothing(), options: CallOptions(deadlineMs: 60_000)) { _ in
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
}
