import Bus
import Contract
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

@testable import ConsoleCore

/// HTTP as a browser, and as somebody hostile, speaks it.
@Suite(.serialized) @LoopActor struct HTTPServerTests {
    /// A server, and what it was asked.
    @LoopActor final class Room {
        let port: UInt16
        private(set) var requests: [HTTPRequest] = []
        private var server: HTTPServer?
        /// Answers; a test replaces it.
        var answer: @LoopActor (HTTPRequest) async -> HTTPResponse = { request in
            HTTPResponse(200, [("X-Path", request.path)], .bytes(Array("hello".utf8)))
        }

        init() throws {
            let listening = try listeningSocket()
            port = listening.port
            server = HTTPServer(listening: listening.descriptor) { [weak self] request in
                guard let self else { return HTTPResponse(503) }
                requests.append(request)
                return await answer(request)
            }
            guard server != nil else { throw Overdue("libmicrohttpd does not start") }
        }

        var connections: Int { server?.connections ?? -1 }

        func connect() throws -> RawConnection { try RawConnection(port: port) }

        func close() { server?.close() }
    }

    @Test func aRequestIsAnswered() async throws {
        let room = try Room()
        let client = try room.connect()
        try client.get(
            "/a%20b?x=1&y=%ED%95%9C&x=2", "Cookie: a=1; session=abc=; b; session=2\r\nX-Some: Thing\r\n")
        try await client.receives("hello")
        #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.text.contains("X-Path: /a b\r\n"))
        let request = try #require(room.requests.first)
        #expect(request.method == "GET" && request.path == "/a b")
        #expect(request.query == ["x": "1", "y": "한"])
        #expect(request.fields["x-some"] == "Thing")
        #expect(request.cookies("session") == ["abc=", "2"])
        #expect(request.cookies("sess").isEmpty && request.cookies("b").isEmpty)
        // The same connection, again.
        try client.get("/second")
        try await client.receives("X-Path: /second")
        client.close()
        room.close()
    }

    /// Of two values neither is believed, whichever comes first.
    @Test func aFieldThatComesTwiceIsAList() async throws {
        let room = try Room()
        let client = try room.connect()
        try client.get("/", "Origin: http://a\r\nOrigin: http://evil\r\nX-Same: 1\r\nx-same: 1\r\n")
        try await client.receives("hello")
        #expect(room.requests.first?.fields["origin"] == "http://a, http://evil")
        #expect(room.requests.first?.fields["x-same"] == "1")
        client.close()
        room.close()
    }

    /// The target as a proxy gets it: the host in it counts (RFC 9112, 3.2.2).
    @Test func anAbsoluteTargetIsAnswered() async throws {
        let room = try Room()
        let client = try room.connect()
        for (target, host, path) in [
            ("http://127.0.0.1:80/today?x=1", "127.0.0.1:80", "/today"),
            ("HTTP://evil.example", "evil.example", "/"),
            ("/http://evil.example", "localhost", "/http://evil.example"),
        ] {
            try client.get(target)
            try await client.receives("X-Path: \(path)\r\n")
            #expect(room.requests.last?.path == path)
            #expect(room.requests.last?.fields["host"]?.hasPrefix(host) == true, "\(target)")
        }
        client.close()
        room.close()
    }

    /// What is checked of connections of the bus concerns no browser: the peer's process, their number, their
    /// greeting.
    @Test func theBussLimitsAreNotThoseOfBrowsers() async throws {
        try await World.with([]) { world in
            try world.runtime.prepare()
            let bus = try RequestServer(named: "limited", in: world.runtime, tracer: Tracer(service: "test"))
            let room = try Room()
            var clients: [RawConnection] = []
            for _ in 0...Limits.connectionsPerProcessMax {
                let client = try room.connect()
                try client.get("/")
                try await client.receives("hello")
                clients.append(client)
            }
            clients.forEach { $0.close() }
            room.close()
            bus.close()
        }
    }

    /// As many connections as there may be, and more that wait: when they have ended, others are answered.
    @Test func afterTooManyConnectionsOthersAreAnswered() async throws {
        let room = try Room()
        var clients: [RawConnection] = []
        let most = Int(HTTPLimits.connectionsMax)
        for number in 1...most + 4 {
            clients.append(try room.connect())
            while room.connections < min(number, most) { await Task.yield() }
        }
        clients.forEach { $0.close() }
        while room.connections > 0 { await Task.yield() }
        let later = try room.connect()
        try later.get("/later")
        try await later.receives("hello")
        later.close()
        room.close()
    }

    /// Proxies and servers differ in which of them they believe.
    @Test func ofTwoHostsNeitherIsBelieved() async throws {
        let room = try Room()
        let client = try room.connect()
        try client.get("/", "Host: evil.example\r\n")
        try await client.receives("hello")
        let host = try #require(room.requests.first?.fields["host"])
        #expect(host.hasSuffix(", evil.example") && host != "evil.example")
        client.close()
        room.close()
    }

    @Test func aBodyIsCompleteAndBounded() async throws {
        let room = try Room()
        let client = try room.connect()
        try client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234")
        try client.send("56789")
        try await client.receives("hello")
        #expect(room.requests.first?.body == Array("0123456789".utf8))
        let long = try room.connect()
        let size = HTTPLimits.bodyBytesMax + 1
        try long.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
        var left = Array(repeating: UInt8(ascii: "x"), count: size)
        while !left.isEmpty {
            left.removeFirst(try long.send(left))
            await Task.yield()
        }
        try await long.receives("413")
        #expect(room.requests.count == 1)
        client.close()
        long.close()
        room.close()
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "y", count: 40_000))",
    ]) func whatIsNotHTTPIsRefused(text: String) async throws {
        let room = try Room()
        let client = try room.connect()
        try client.send(text)
        try await client.receives("a refusal") { $0.isEnded || $0.text.contains("HTTP/1.") }
        #expect(client.received.isEmpty || client.text.hasPrefix("HTTP/1.1 4"), "\(client.text.prefix(80))")
        #expect(room.requests.isEmpty)
        client.close()
        room.close()
    }

    /// Nobody waits for another: not for an answer that takes long, nor for a client that sends slowly.
    @Test func whoIsSlowDelaysNobody() async throws {
        let room = try Room()
        let answered = Expectation<Void>("the slow answer")
        room.answer = { request in
            if request.path == "/slow" { try? await answered.wait() }
            return HTTPResponse(200, [], .bytes(Array("done \(request.path)".utf8)))
        }
        let (slow, half, fast) = (try room.connect(), try room.connect(), try room.connect())
        try slow.get("/slow")
        try half.send("GET /half HT")
        try fast.get("/fast")
        try await fast.receives("done /fast")
        #expect(slow.received.isEmpty)
        answered.fulfil(())
        try await slow.receives("done /slow")
        try half.send("TP/1.1\r\nHost: x\r\n\r\n")
        try await half.receives("done /half")
        for client in [slow, half, fast] { client.close() }
        room.close()
    }

    @Test func aStreamSendsWhatIsWritten() async throws {
        let room = try Room()
        let stream = HTTPStream()
        var ends = 0
        let ended = Expectation<Void>("the end of the stream")
        stream.onEnd = {
            ends += 1
            ended.fulfil(())
        }
        room.answer = { _ in HTTPResponse(200, [("Content-Type", "text/event-stream")], .stream(stream)) }
        let client = try room.connect()
        try client.get("/events")
        try await client.receives("text/event-stream")
        for number in 1...3 {
            stream.write(Array("data: \(number)\n\n".utf8))
            try await client.receives("data: \(number)\n\n")
        }
        client.close()
        // Without anything that is written to it.
        try await ended.wait()
        #expect(ends == 1)
        room.close()
    }

    @Test func theReaderOfAStreamMustKeepUp() async throws {
        let room = try Room()
        let stream = HTTPStream()
        var isEnded = false
        stream.onEnd = { isEnded = true }
        room.answer = { _ in HTTPResponse(200, [], .stream(stream)) }
        let client = try room.connect()
        try client.get("/events")
        try await client.receives("200 OK")
        client.isReading = false
        let part = [UInt8](repeating: UInt8(ascii: "."), count: 64 << 10)
        var written = 0
        while !isEnded, written < 1000 {
            stream.write(part)
            written += 1
            await Task.yield()
        }
        #expect(isEnded && written < 1000)
        client.close()
        room.close()
    }

    /// libmicrohttpd ends the process otherwise.
    @Test func aServerClosesWhileRequestsAndStreamsWait() async throws {
        let room = try Room()
        let never = Expectation<Void>("nothing")
        room.answer = { request in
            if request.path == "/stream" { return HTTPResponse(200, [], .stream(HTTPStream())) }
            // It never comes; the server is closed meanwhile.
            try? await never.wait()
            return HTTPResponse(204)
        }
        let clients = [try room.connect(), try room.connect()]
        try clients[0].get("/stream")
        try await clients[0].receives("200 OK")
        try clients[1].get("/waits")
        try await untilAsked(room, "/waits")
        room.close()
        for client in clients {
            try await client.receives("its end") { $0.isEnded }
        }
    }

    private func untilAsked(_ room: Room, _ path: String) async throws {
        while !room.requests.contains(where: { $0.path == path }) { await Task.yield() }
    }
}
