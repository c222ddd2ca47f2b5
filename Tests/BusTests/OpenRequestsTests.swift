import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Requests that are answered late or never: waiting requests are limited in number and bytes, per process
/// and in total, and further ones are refused with the limit's name.
@Suite @LoopActor struct OpenRequestsTests {
    /// A DEALER without any manners.
    @LoopActor final class Peer {
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
            try await eventually("a request is sent") { try socket.send(Array(text.utf8)) == .sent }
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

    @Test func aBatchThatIsNotCompletedCountsNoLonger() {
        let open = OpenRequests { _ in true }
        var batch: BatchAnswer? = BatchAnswer(expected: 2, pid: 4_711, open: open) { _ in
            Issue.record("it is not complete")
        }
        batch?.add([UInt8](repeating: 0x20, count: 100))
        #expect(open.bytes == 101)
        batch = nil
        #expect(open.bytes == 0)
    }

    @Test func anUnreadAnswerNeedsNoMoreThanItsBytes() {
        let backlog = AnswerBacklog()
        var answer = Array("{}".utf8)
        answer.reserveCapacity(100_000)
        let route = Route(identity: [1], pid: 1, connection: nil)
        #expect(backlog.add(answer, route) == nil && backlog.bytes == 2)
        backlog.flush { answer, _ in
            #expect(answer == Array("{}".utf8) && answer.capacity < 64)
            return .sent
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
            try await eventually("all is asked") { server.asked.count >= 30 * 21 || open.count >= 30 }
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
            try await eventually("four are asked") { server.asked.count >= 4 }
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

    // MARK: too much of all together

    private static let whole = Limits.openBytesPerPeerMax / 16

    /// Of four processes, each with all that one may keep. Lost are those for which `lose` was called.
    private func fill(
        _ open: OpenRequests, waits: Bool, _ lose: @escaping @LoopActor (Int32) -> Void
    ) throws {
        for pid in Int32(1)...4 {
            for _ in 0..<16 {
                let request = try open.begin(pid: pid, bytes: Self.whole).get()
                guard waits else { continue }
                request.suspend { [weak request] _ in
                    lose(pid)
                    // Whoever ends it answers it.
                    if let request { open.end(request) }
                }
            }
        }
        try #require(open.bytes == Limits.openBytesMax)
    }

    @Test func whoKeepsTheMostLosesWhatWaitsAndNotWhoComes() throws {
        let open = OpenRequests { _ in true }
        var lost: [Int32] = []
        var told: [Int32] = []
        open.onLoss = { told.append($0) }
        try fill(open, waits: true) { lost.append($0) }
        let first = try open.begin(pid: 5, bytes: 2_048).get()
        #expect(lost.count == 16 && Set(lost).count == 1 && told == [lost[0]])
        #expect(open.bytes == Limits.openBytesMax - 16 * Self.whole + 2_048)
        // Now there is room.
        for _ in 0..<15 { _ = try open.begin(pid: 6, bytes: Self.whole).get() }
        #expect(lost.count == 16)
        // Who would keep the most himself gets none.
        let other = try #require(Set(1...4).subtracting(told).first)
        let refused = open.begin(pid: other, bytes: 1)
        #expect(throws: ServiceError.self) { try refused.get() }
        open.end(first)
        #expect(lost.count == 16)
    }

    @Test func whoKeepsLittleIsServedAlsoWhenNothingCanBeLost() throws {
        let open = OpenRequests { _ in true }
        try fill(open, waits: false) { _ in }
        for pid in Int32(5)...40 {
            for _ in 0..<4 { _ = try open.begin(pid: pid, bytes: Limits.openBytesReserved / 4).get() }
            #expect(open.keep(1, of: pid)?.name == .tooManyRequests)
            guard case .failure(let error) = open.begin(pid: pid, bytes: 1) else {
                Issue.record("process \(pid) may keep more than its share")
                continue
            }
            #expect(error.name == .tooManyRequests && error.message.contains("open_bytes_max"))
        }
    }

    /// A resumed request cannot be ended, and an ended one no longer counts, even if its answer is late.
    @Test func onlyWhatWaitsIsLostAndOnce() throws {
        let open = OpenRequests { _ in true }
        var lost = 0
        let late = try open.begin(pid: 1, bytes: Limits.openBytesPerPeerMax).get()
        late.suspend { _ in lost += 1 }
        let working = try open.begin(pid: 2, bytes: Limits.openBytesPerPeerMax).get()
        working.suspend { _ in lost += 10 }
        working.resume()
        for pid in Int32(3)...4 { _ = try open.begin(pid: pid, bytes: Limits.openBytesPerPeerMax).get() }
        _ = try open.begin(pid: 5, bytes: 1).get()
        #expect(lost == 1 && open.bytes == 3 * Limits.openBytesPerPeerMax + 1)
        late.suspend { _ in lost += 100 }
        open.end(late)
        open.end(working)
        #expect(lost == 1 && open.bytes == 2 * Limits.openBytesPerPeerMax + 1 && open.count == 3)
    }

    // MARK: peers that are gone

    @Test func whatWaitsGoesWithItsConnection() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        (server.answers, server.waits) = (false, true)
        try server.start()
        defer { server.stop() }
        let open = try #require(server.server).open
        let staying = try Peer(place.directory)
        try await staying.send(waiting(1))
        var leaving: Peer? = try Peer(place.directory)
        for id in 0..<20 { try await leaving?.send(waiting(id)) }
        // Nobody waits for the answer of a notification.
        try await leaving?.send(#"{"jsonrpc":"2.0","method":"member.list"}"#)
        try await eventually("all are asked") { server.asked.count >= 22 }
        #expect(open.count == 22)
        leaving = nil
        try await eventually("the requests of the peer that left end") { open.count <= 2 }
        #expect(open.count == 2 && open.bytes == 2 * OpenRequest.envelopeBytes)
        withExtendedLifetime(staying) {}
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
