import Contract
import ExtensionLink
import JSON
import Testing

/// The protocol between a host and its extensions, against everything that may come.
@Suite struct WireTests {
    @Test func framesAreCutWhereverTheStreamIs() throws {
        let messages = [[1], Array(repeating: 7, count: 70_000), [2, 3]].map { $0.map(UInt8.init) }
        let stream = messages.flatMap { Wire.frame($0) }
        for step in [1, 3, 4, 5, 16_384, stream.count] {
            var reader = FrameReader()
            var found: [[UInt8]] = []
            var position = 0
            while position < stream.count {
                reader.append(stream[position..<min(position + step, stream.count)])
                position += step
                while let message = try reader.next() { found.append(message) }
            }
            #expect(found == messages)
        }
    }

    @Test(
        arguments: [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0x10, 0, 1], Array("GET ".utf8)] as [[UInt8]])
    func lengthsBeyondTheLimitAreRefused(bytes: [UInt8]) {
        var reader = FrameReader()
        reader.append(bytes)
        #expect(throws: WireError.self) { try reader.next() }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"jsonrpc":"1.0","id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","method":"a"}"#,
        #"{"jsonrpc":"2.0","id":"1","method":"a"}"#, #"{"jsonrpc":"2.0","id":1}"#,
        #"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"","data":{"name":"","remedy":""}}}"#,
        #"{"jsonrpc":"2.0","id":1,"id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"a"} x"#,
    ])
    func messagesOfAnotherShapeAreRefused(text: String) {
        #expect(throws: WireError.self) { try WireMessage.read(Array(text.utf8)) }
    }

    @Test func messagesGoThere() throws {
        let params = CallbackParams(
            callback: .intervalDidEnd, about: ActivityCallback(), delivery: 3, attempt: 2)
        let request = WireMessage.request(3, Wire.callbackMethod, RawJSON(encoding: params))
        guard case .request(3, "callback", let raw?, nil) = try WireMessage.read(request) else {
            Issue.record("not a request")
            return
        }
        #expect(try CallbackParams.decode(raw.bytes) == params)
        let refusal = ServiceError(.conflict, "what", remedy: "how")
        guard
            case .answer(9, .failure(let error)) = try WireMessage.read(
                WireMessage.answer(9, .failure(refusal)))
        else {
            Issue.record("not a refusal")
            return
        }
        #expect(error == refusal)
    }
}
