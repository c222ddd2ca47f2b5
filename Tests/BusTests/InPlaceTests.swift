import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Requests and answers that are read in one pass have the same effect as those that are not.
@Suite @LoopActor struct InPlaceTests {
    private static let request =
        #"{"jsonrpc":"2.0","id":7,"method":"member.add","traceparent":"#
        + #""00-0123456789abcdef0123456789abcdef-0123456789abcdef-01","deadline":60000,"#
        + #""idempotency_key":"k","client":"org.example","#
        + #""not_before":[{"service":"auth-service","sequence":3}],"#
        + #""params":{"name":"Bo","role":"child"}}"#

    /// What is likely to hurt.
    private static let tokens = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\t", "0", "-", "-0", "1e5", "1.0", "null",
        "true", "é", "\\u0061", "\"id\":7,", ",\"x\":1", "\"\"", "3600001", "{}",
    ]

    private static func mutated(_ text: String, _ random: inout IDGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for _ in 0...below(3) {
            let at = below(bytes.count + 1)
            switch below(3) {
            case 0: bytes.insert(contentsOf: tokens[below(tokens.count)].utf8, at: at)
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + below(12)))
            default: if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
        return bytes
    }

    /// The request as it is read in one pass; nil if it is not.
    private static func inPlace(_ bytes: [UInt8]) -> (RequestHead, String, MemberAdd.Params, [UInt8])? {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            guard let (head, method) = RequestHead.read(&reader) else { return nil }
            let start = reader.position
            // Whether it is read matters here, not why.
            guard let params = try? MemberAdd.Params.decodeNext(&reader) else { return nil }
            let end = reader.position
            guard reader.takeObjectEnd(), reader.isAtEnd else { return nil }
            return (head, String(decoding: method, as: UTF8.self), params, Array(bytes[start..<end]))
        }
    }

    @Test(arguments: (0..<20).map { UInt64($0) })
    func whatIsReadInOnePassIsWhatTheParserReads(_ seed: UInt64) throws {
        var random = IDGenerator(seed: seed)
        var count = 0
        for _ in 0..<5_000 {
            let bytes = Self.mutated(Self.request, &random)
            guard let (head, method, params, encoded) = Self.inPlace(bytes) else { continue }
            count += 1
            let text = "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
            guard case .one(let request) = bytes.withUnsafeBytes(RequestParser.parse) else {
                Issue.record("it is refused: \(text)")
                continue
            }
            let other = RequestHead(request)
            #expect(head.id == other.id && head.trace == other.trace, "\(text)")
            #expect(head.deadline == other.deadline && head.client == other.client, "\(text)")
            #expect(head.idempotencyKey == other.idempotencyKey, "\(text)")
            #expect(head.notBefore == other.notBefore, "\(text)")
            #expect(method == request.method && encoded == request.params?.bytes, "\(text)")
            #expect(try MemberAdd.Params.decodeStrictly(encoded) == params, "\(text)")
        }
        #expect(count > 50, "seed \(seed)")
    }

    @Test func whatAClientSendsIsReadInOnePass() throws {
        #expect(Self.inPlace(Array(Self.request.utf8)) != nil)
        #expect(Self.inPlace(Array(#"{"jsonrpc":"2.0","method":"m","params":{"name":"B"}}"#.utf8)) != nil)
    }

    /// Each is answered, whichever way it is read.
    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{}}"#, "ok"),
        (#" { "jsonrpc" : "2.0" , "id" : 1 , "method" : "member.list" , "params" : { } } "#, "ok"),
        (#"{"params":{},"method":"member.list","id":1,"jsonrpc":"2.0"}"#, "ok"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":null}"#, "ok"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.li\u0073t","params":{}}"#, "ok"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{"x":1}}"#, "invalidParams"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{},"x":1}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{},"id":2}"#, "parseError"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","params":{}}x"#, "parseError"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","deadline":0,"params":{}}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.1","id":1,"method":"member.list","params":{}}"#, "invalidRequest"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.lis","params":{}}"#, "methodNotFound"),
        (#"{"jsonrpc":"2.0","id":1,"method":"member.list","client":"","params":{}}"#, "invalidRequest"),
    ])
    func requestsAreAnsweredAlikeOnBothWays(_ text: String, _ name: String) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let peer = try OpenRequestsTests.Peer(place.directory)
        try await peer.send(text)
        while peer.answers < 1 {
            try peer.read()
            await Task.yield()
        }
        #expect(peer.names == [name: 1])
        #expect(server.server?.open.count == 0)
    }

    /// Answers a client's first request with this text after `"id":`.
    private func answer(_ rest: String) async throws -> Result<MemberList.Result, ServiceError> {
        let place = try Place()
        let socket = try Socket(.router)
        try socket.bind(place.directory.endpoint(.auth, .requests))
        let client = try RequestClient(to: .auth, in: place.directory, tracer: Tracer(service: "client"))
        let ended = Expectation<Result<MemberList.Result, ServiceError>>("the request ends")
        client.send(MemberList.self, Nothing(), options: CallOptions(deadline: 60_000)) { ended.fulfil($0) }
        var frame = Frame()
        try await eventually("a request") { try socket.receive(&frame) }
        let identity = frame.bytes
        _ = try socket.receive(&frame)
        _ = try socket.send(identity, more: true)
        // The first one is no JSON at its end, and is ignored.
        let other = MemberList.Result(members: [Member(id: "uid-1", name: "Bo", role: .child)]).encoded()
        _ = try socket.send(
            Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8) + other + Array("}x".utf8))
        _ = try socket.send(identity, more: true)
        _ = try socket.send(Array((#"{"jsonrpc":"2.0","id":"# + rest).utf8))
        let result = try await ended.wait()
        #expect(client.openCount == 0)
        return result
    }

    @Test(arguments: [
        #"1,"result":{"members":[]}}"#, #"1,"result":{"later":[{}],"members":[]},"later":1}"#,
        #"1,"later":1,"result":{"members":[]}}"#, #"1 , "result" : { "members" : [ ] } } "#,
    ])
    func answersAreReadOnBothWays(_ rest: String) async throws {
        #expect(try await answer(rest).get() == MemberList.Result(members: []))
    }

    @Test func aResultThatViolatesTheContractEndsTheRequest() async throws {
        let result = try await answer(#"1,"result":{"members":7}}"#)
        guard case .failure(let error) = result else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.name == .internalError && error.message.contains("'members': expected an array"))
    }
}
