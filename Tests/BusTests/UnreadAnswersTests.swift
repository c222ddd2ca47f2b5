import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Peers that send requests and do not read: their unread answers are limited in bytes, and others do not
/// wait.
@Suite @LoopActor struct UnreadAnswersTests {
    /// A DEALER whose own queue holds one answer, and which reads only on request.
    @LoopActor final class LazyPeer {
        private let socket: Socket
        private var frame = Frame()

        init(_ directory: RuntimeDirectory) throws {
            socket = try Socket(.dealer, queuedMax: 1)
            try socket.connect(directory.endpoint(.auth, .requests))
        }

        /// - Returns: false when libzmq takes no more for now.
        func ask(_ id: Int) throws -> Bool {
            try socket.send(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"member.list"}"#.utf8)) == .sent
        }

        /// The ids of the answers that are there.
        func read() throws -> [Int64] {
            var ids: [Int64] = []
            while try socket.receive(&frame) {
                ids.append(try JSONValue.decode(frame.bytes)["id"]?.integerValue ?? -1)
            }
            return ids
        }
    }

    private func withServer(
        answerBytes: Int, _ body: (RequestTests.Server, RuntimeDirectory) async throws -> Void
    ) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        server.name = String(repeating: "x", count: answerBytes)
        try server.start()
        try await body(server, place.directory)
    }

    @Test func aPeerThatDoesNotReadLosesItsAnswersAndNobodyElseDoes() async throws {
        try await withServer(answerBytes: 500_000) { server, directory in
            let lazy = try LazyPeer(directory)
            var asked = 0
            while !server.refusals.contains(.unreadAnswers) {
                if try lazy.ask(asked) { asked += 1 }
                await Task.yield()
                let unread = try #require(server.server).unreadBytes
                #expect(unread <= Limits.unreadBytesPerPeerMax)
            }
            #expect(try #require(server.server).unreadBytes == 0)
            let taken = server.asked.count
            // No more work is done for it, whatever it asks.
            let refused = server.refusals.count
            while server.refusals.count < refused + 10 {
                if try lazy.ask(asked) { asked += 1 }
                await Task.yield()
            }
            #expect(server.asked.count == taken)
            let result = try await server.client().call(MemberList.self, Nothing())
            #expect(result.members.count == 1)
        }
    }

    @Test func aPeerThatReadsLateGetsEveryAnswerInOrder() async throws {
        try await withServer(answerBytes: 20_000) { server, directory in
            let late = try LazyPeer(directory)
            let count = 200
            var asked = 0
            // All are answered before the first is read.
            while server.asked.count < count {
                if asked < count, try late.ask(asked) { asked += 1 }
                await Task.yield()
            }
            #expect(try #require(server.server).unreadBytes > 0)
            var ids: [Int64] = []
            while ids.count < count {
                ids += try late.read()
                await Task.yield()
            }
            #expect(ids == (0..<Int64(count)).map(\.self))
            #expect(!server.refusals.contains(.unreadAnswers))
            #expect(try #require(server.server).unreadBytes == 0)
        }
    }

    /// What waits for the bytes of another goes as soon as those have gone, not with the next timer.
    @Test func longAnswersFollowEachOtherWithoutAPause() async throws {
        try await withServer(answerBytes: 700_000) { server, directory in
            let client = try server.client()
            _ = try await client.call(MemberList.self, Nothing())
            try #require(server.server).backlogPause = 600_000
            for _ in 0..<40 {
                async let one = client.call(MemberList.self, Nothing())
                async let other = client.call(MemberList.self, Nothing())
                _ = try await (one, other)
            }
        }
    }

    @Test func allPeersTogetherHaveABudgetToo() async throws {
        try await withServer(answerBytes: 900_000) { server, directory in
            // Each stays below its own budget.
            let lazy = try (0..<12).map { _ in try LazyPeer(directory) }
            var asked = 0
            while !server.refusals.contains(.unreadAnswers), asked < 12 * 17 {
                if try lazy[asked % 12].ask(asked) { asked += 1 }
                await Task.yield()
                #expect(try #require(server.server).unreadBytes <= Limits.unreadBytesMax)
            }
            try await eventually("all is asked, or refused") {
                server.asked.count >= asked || server.refusals.contains(.unreadAnswers)
            }
            #expect(server.refusals.contains(.unreadAnswers))
        }
    }
}
