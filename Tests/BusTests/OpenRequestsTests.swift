import Contract
import JSON
import TestSupport
import Testing

@testable import Bus

/// Peers that ask for what is answered late, or never: what waits for its answer is bounded in number and in
/// bytes, by process and together, and what is over it is refused by name.
@Suite @BusActor struct OpenRequestsTests {
    /// A DEALER without any manners.
    @BusActor final class Peer {
        private let socket: Socket
        private var frame = Frame()
        private(set) var names: [String: Int] = [:]
        private(set) var answers = 0
        private(set) var last: [UInt8] = []

        init(_ directory: RuntimeDirectory) throws {
            socket = try Socket(.dealer)
            try socket.connect(directory.endpoint(.auth, .requests))
        }

        func send(_ text: String) async throws {
            while try socket.send(Array(text.utf8)) != .sent { await Task.yield() }
        }

        func read() throws {
            while try socket.receive(&frame) {
                answers += 1
                last = frame.bytes
                // A batch's answer is an array, and has no name of its own.
                guard let answer = try? Answer.decode(last) else { continue }
                names[answer.error?.data.name ?? "ok", default: 0] += 1
            }
        }
    }

    private func withServer(
        _ body: (RequestTests.Server, OpenRequests, Peer) async throws -> Void
    ) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        server.answers = false
        try server.start()
        try await body(server, try #require(server.server).open, try Peer(place.directory))
    }

    /// `member.add` is answered at once, `member.list` never.
    private func waiting(_ id: Int, extra: String = "") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"member.list"\#(extra)}"#
    }

    private func answered(_ id: Int, nameBytes: Int) -> String {
        let name = String(repeating: "x", count: nameBytes)
        return #"{"jsonrpc":"2.0","id":\#(id),"method":"member.add","params":{"name":"\#(name)"}}"#
    }

    @Test func requestsThatWaitAreBoundedInNumber() async throws {
        try await withServer { server, open, peer in
            for id in 0..<Limits.openRequestsMax + 10 { try await peer.send(waiting(id)) }
            while peer.answers < 10 {
                try peer.read()
                try #require(open.count <= Limits.openRequestsMax)
                await Task.yield()
            }
            #expect(peer.names == ["tooManyRequests": 10])
            #expect(server.refusals.filter { $0 == .tooManyRequests }.count == 10)
            #expect(server.asked.count == Limits.openRequestsMax)
        }
    }

    @Test func requestsThatWaitAreBoundedInBytes() async throws {
        try await withServer { _, open, peer in
            let pad = String(repeating: " ", count: 900_000)
            let extra = #","params":{\#(pad)}"#
            let fit = Limits.openBytesPerPeerMax / (900_002 + OpenRequest.envelopeBytes)
            for id in 0..<fit + 5 { try await peer.send(waiting(id, extra: extra)) }
            while peer.answers < 5 {
                try peer.read()
                try #require(open.bytes <= Limits.openBytesPerPeerMax)
                await Task.yield()
            }
            #expect(peer.names == ["tooManyRequests": 5])
            // Small ones still fit; another connection of the same process has no budget of its own.
            #expect(open.count == fit)
        }
    }

    @Test func aBatchThatWaitsKeepsOneMessageOfAnswersAtMost() async throws {
        try await withServer { server, open, peer in
            // Twenty answers of 45,000 bytes would be one message; here are thirty batches of them.
            for batch in 0..<30 {
                let requests = (0..<20).map { answered($0, nameBytes: 45_000) } + [waiting(batch)]
                try await peer.send("[" + requests.joined(separator: ",") + "]")
            }
            while server.asked.count < 30 * 21, open.count < 30 { await Task.yield() }
            #expect(open.bytes <= Limits.openBytesPerPeerMax)
        }
    }

    @Test func aBatchOverOneMessageLetsItsAnswersGoAtOnce() async throws {
        try await withServer { server, open, peer in
            server.name = String(repeating: "x", count: 400_000)
            server.answers = true
            // The first is answered never, the others with 400,000 bytes each.
            server.unanswered = [1]
            let requests = (0..<5).map { waiting($0) }
            try await peer.send("[" + requests.joined(separator: ",") + "]")
            while server.asked.count < 4 { await Task.yield() }
            #expect(open.count == 1)
            #expect(open.bytes == OpenRequest.envelopeBytes)
        }
    }

    @Test func whatIsAnsweredIsOpenNoMore() async throws {
        try await withServer { server, open, peer in
            server.answers = true
            for id in 0..<20 { try await peer.send(waiting(id)) }
            try await peer.send("[\(waiting(20)),\(waiting(21)),{}]")
            while peer.answers < 21 {
                try peer.read()
                await Task.yield()
            }
            #expect(open.count == 0 && open.bytes == 0)
            #expect(try JSONValue.decode(peer.last).arrayValue?.count == 3)
        }
    }

    @Test func aRequestWaitsForSixteenPositionsAtMost() async throws {
        try await withServer { server, open, peer in
            for count in [16, 17, 20_000] {
                let one = #"{"service":"shield-service","sequence":1}"#
                let positions = Array(repeating: one, count: count).joined(separator: ",")
                try await peer.send(waiting(count, extra: #","not_before":[\#(positions)]"#))
            }
            while peer.answers < 2 {
                try peer.read()
                await Task.yield()
            }
            #expect(peer.names == ["invalidRequest": 2])
            #expect(open.count == 1)
            #expect(String(decoding: peer.last, as: UTF8.self).contains("16"))
        }
    }
}
