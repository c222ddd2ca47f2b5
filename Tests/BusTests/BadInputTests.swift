import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Invalid input. The server answers or drops it as the contract says, and continues.
@Suite @LoopActor struct BadInputTests {
    /// A DEALER without any of our manners.
    @LoopActor final class RawPeer {
        private let socket: Socket
        private var token: Reactor.Token?
        private var answers: [[UInt8]] = []
        private var watcher: (@LoopActor () -> Void)?

        init(_ directory: RuntimeDirectory) throws {
            socket = try Socket(.dealer)
            try socket.connect(directory.endpoint(.auth, .requests))
            token = Reactor.shared.watch(socket: socket) { [weak self] in self?.take() }
        }
        isolated deinit { if let token { Reactor.shared.forget(token) } }

        private func take() {
            var frame = Frame()
            // An error ends the loop like an empty queue; the test then times out and reports that.
            while (try? socket.receive(&frame)) == true { answers.append(frame.bytes) }
            watcher?()
        }

        /// Sends frames and waits for one answer.
        func ask(_ frames: [[UInt8]]) async throws -> JSONValue {
            for (index, frame) in frames.enumerated() {
                try await eventually("a frame is sent") {
                    try socket.send(frame, more: index + 1 < frames.count) == .sent
                }
            }
            let expectation = Expectation<[UInt8]>(
                "an answer to \(frames.map { String(decoding: $0, as: UTF8.self) })")
            watcher = { [unowned self] in if let answer = answers.first { expectation.fulfil(answer) } }
            watcher?()
            let answer = try await expectation.wait()
            answers.removeFirst()
            return try JSONValue.decode(answer)
        }
        var received: [[UInt8]] { answers }
        func forget(_ count: Int) { answers.removeFirst(count) }
        func ask(_ text: String) async throws -> JSONValue { try await ask([Array(text.utf8)]) }
        func send(_ frames: [[UInt8]]) async throws {
            for (index, frame) in frames.enumerated() {
                try await eventually("a frame is sent") {
                    try socket.send(frame, more: index + 1 < frames.count) == .sent
                }
            }
        }
    }

    private func withServer(_ body: (RequestTests.Server, RawPeer) async throws -> Void) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let peer = try RawPeer(place.directory)
        try await body(server, peer)
        let good = try await peer.ask(#"{"jsonrpc":"2.0","id":7,"method":"member.list","params":{}}"#)
        #expect(good["result"]?["members"]?[0]?["name"] == "Ada", "the server no longer answers")
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{}} x"#, "parseError"),
        ("\u{FEFF}{}", "parseError"),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"member.list"}"#, "parseError"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{"x":NaN}}"#, "parseError"),
        (String(repeating: "[", count: 10_000), "parseError"),
        ("", "parseError"),
        ("garbage", "parseError"),
        ("42", "invalidRequest"),
        ("[]", "invalidRequest"),
        ("{}", "invalidRequest"),
        (#"{"jsonrpc":"1.0","id":1,"method":"member.list"}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":{},"method":"member.list"}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"member.list"}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1,"method":5}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","deadline":0}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#, "methodNotFound"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.add","params":{"name":3}}"#, "invalidParams"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.add","params":{}}"#, "invalidParams"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.add","params":[1]}"#, "invalidParams"),
    ])
    func isAnsweredByName(text: String, name: String) async throws {
        try await withServer { server, peer in
            let answer = try await peer.ask(text)
            #expect(answer["error"]?["data"]?["name"]?.stringValue == name)
            #expect(answer["error"]?["code"]?.integerValue == ErrorName(rawValue: name)?.code)
            #expect(server.refusals.count == 1)
        }
    }

    @Test func badUTF8IsAParseError() async throws {
        try await withServer { _, peer in
            let answer = try await peer.ask([
                Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xff, 0x22, 0x7d]
            ])
            #expect(answer["error"]?["data"]?["name"] == "parseError")
            #expect(answer["id"]?.isNull == true)
        }
    }

    @Test func wrongFramesAreDroppedAndCounted() async throws {
        try await withServer { server, peer in
            try await peer.send([[1], [2], [3]])
            try await peer.send([[], [1], [2]])
            try await eventually("two refusals") { server.refusals.count >= 2 }
            #expect(server.refusals == [.wrongFrames, .wrongFrames])
        }
    }

    @Test func aDelimiterAsREQSocketsSendItIsEchoed() async throws {
        try await withServer { _, peer in
            try await peer.send([[], Array(#"{"jsonrpc":"2.0","id":"a","method":"member.list"}"#.utf8)])
            let expectation = try await peer.takeTwo()
            #expect(expectation.0.isEmpty)
            #expect(try JSONValue.decode(expectation.1)["id"] == "a")
        }
    }

    @Test func aNotificationIsDoneAndNotAnswered() async throws {
        try await withServer { server, peer in
            try await peer.send([Array(#"{"jsonrpc":"2.0","method":"member.list"}"#.utf8)])
            try await eventually("it is asked") { !server.asked.isEmpty }
        }
    }

    @Test func aBatchIsAnsweredTogether() async throws {
        try await withServer { _, peer in
            let answer = try await peer.ask(
                #"[{"jsonrpc":"2.0","id":1,"method":"member.list"},{"jsonrpc":"2.0","method":"member.list"},7,"#
                    + #"{"jsonrpc":"2.0","id":2,"method":"no.such"}]"#)
            let ids = answer.arrayValue?.map { $0["id"]?.integerValue }
            #expect(ids?.count == 3)
            #expect(Set(ids ?? []) == [1, nil, 2])
        }
    }

    @Test func aBatchWhoseAnswersAreTooLongTogetherIsRefusedByName() async throws {
        try await withServer { server, peer in
            server.name = String(repeating: "x", count: Limits.messageBytesMax / 4)
            let one = #"{"jsonrpc":"2.0","id":1,"method":"member.list"}"#
            let answer = try await peer.ask("[" + [one, one, one, one, one].joined(separator: ",") + "]")
            #expect(answer["error"]?["data"]?["name"] == "limitExceeded")
            server.name = "Ada"
        }
    }

    @Test func anInvalidTraceparentBeginsANewTrace() async throws {
        try await withServer { server, peer in
            _ = try await peer.ask(#"{"jsonrpc":"2.0","id":1,"method":"member.list","traceparent":"zz"}"#)
            #expect(server.asked.count == 1 && server.asked[0].count == 32)
        }
    }
}

extension BadInputTests.RawPeer {
    /// Two frames of one answer.
    func takeTwo() async throws -> ([UInt8], [UInt8]) {
        try await eventually("two frames") { received.count >= 2 }
        let two = (received[0], received[1])
        forget(2)
        return two
    }
}
