import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// libzmq counts a message when its last frame has arrived, and answers a malformed PING with bytes of its
/// own memory. Therefore input of clients is limited before libzmq receives it.
@Suite(.serialized) @LoopActor struct MessageBoundTests {
    private func withServer(
        _ body: (RequestTests.Server, BarePeer) async throws -> Void
    ) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let peer = try BarePeer(place.directory.socketPath(.auth, .requests))
        await peer.say(BarePeer.signature + BarePeer.ready("DEALER"))
        await peer.hearReady()
        try await body(server, peer)
        // Others are served.
        _ = try await server.client().call(MemberList.self, Nothing())
    }

    private static let question = Array(#"{"jsonrpc":"2.0","id":1,"method":"member.list"}"#.utf8)

    /// A frame with its length in eight bytes.
    nonisolated private static func long(_ count: UInt64, flags: UInt8 = 0) -> [UInt8] {
        let shifts = stride(from: 56, through: 0, by: -8)
        return [flags | 2] + shifts.map { UInt8(truncatingIfNeeded: count >> UInt64($0)) }
    }

    private func endsTheConnection(_ bytes: [UInt8], atOnce: Int) async throws {
        try await withServer { server, peer in
            for start in stride(from: 0, to: bytes.count, by: atOnce) where !peer.isClosed {
                await peer.say(Array(bytes[start...].prefix(atOnce)))
            }
            while !peer.isClosed {
                peer.listen()
                await Task.yield()
            }
            try await eventually("a refusal") { !server.refusals.isEmpty }
            #expect(server.refusals == [.tooLong] && server.asked.isEmpty)
        }
    }

    @Test(arguments: [1, 5, 8_192]) func aMessageThatNeverEndsDoesNot(atOnce: Int) async throws {
        let part = BarePeer.frame([65], flags: 1)
        try await endsTheConnection(Array(repeating: part, count: 17).flatMap(\.self), atOnce: atOnce)
    }

    @Test func aMessageOfLongPartsIsBoundedByItsBytes() async throws {
        let half = UInt64(Limits.messageBytesMax)
        let part = Self.long(half, flags: 1) + [UInt8](repeating: 65, count: Int(half))
        try await endsTheConnection(part + part + BarePeer.frame([65]), atOnce: 65_536)
    }

    @Test(arguments: [
        long(UInt64(2 * Limits.messageBytesMax + 1)), long(.max), long(.max, flags: 1), long(.max, flags: 4),
        BarePeer.frame([], flags: 4), BarePeer.frame(Array("\u{4}PING".utf8), flags: 4),
        BarePeer.frame(Array("\u{4}PING".utf8) + [0], flags: 4),
        BarePeer.frame(Array("\u{4}PING".utf8) + [UInt8](repeating: 0, count: 19), flags: 4),
        BarePeer.frame(Array("\u{5}ERROR".utf8) + [0], flags: 4),
        BarePeer.frame(Array("\u{9}SUBSCRIBE".utf8) + [97], flags: 4),
    ]) func aFrameThatIsTooLongOrNoHeartbeatEndsIt(bytes: [UInt8]) async throws {
        try await endsTheConnection(bytes, atOnce: 3)
    }

    /// Questions in pieces that end anywhere, with heartbeats between them, are answered each.
    @Test(arguments: [1, 2, 7, 100, 8_192]) func whatIsWithinBoundsIsAnswered(atOnce: Int) async throws {
        let ping = BarePeer.frame(Array("\u{4}PING".utf8) + [0, 10] + Array("again".utf8), flags: 4)
        let whole = Self.long(UInt64(Self.question.count)) + Self.question
        let delimited = BarePeer.frame([], flags: 1) + BarePeer.frame(Self.question)
        let round = BarePeer.frame(Self.question) + ping + whole + delimited
        try await withServer { server, peer in
            let all = Array(repeating: round, count: 20).flatMap(\.self)
            for start in stride(from: 0, to: all.count, by: atOnce) {
                await peer.say(Array(all[start...].prefix(atOnce)))
            }
            while server.asked.count < 60, !peer.isClosed {
                peer.listen()
                await Task.yield()
            }
            #expect(!peer.isClosed && server.refusals.isEmpty)
            while !String(decoding: peer.received, as: UTF8.self).contains("again") {
                peer.listen()
                await Task.yield()
            }
        }
    }
}
