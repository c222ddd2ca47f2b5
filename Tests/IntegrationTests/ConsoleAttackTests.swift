import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// What pages of other origins, programs of other users, and clients that do not keep to HTTP try.
@Suite("console: attacks") struct ConsoleAttackTests {
    /// DNS rebinding: a page whose own name was resolved to this machine, in the meantime.
    @Test func aNameThatIsNotTheConsolesIsRefused() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let hosts: [String?] = [
                "evil.example", "evil.example:\(browser.port)", "127.0.0.1", "127.0.0.1:1",
                "localhost.evil.example",
                "0.0.0.0:\(browser.port)", "127.0.0.1:\(browser.port)@evil.example", "",
            ]
            for host in hosts {
                for path in ["/", "/session", "/events", "/api/openapi.json", "/app/main.js"] {
                    let reply = try await browser.get(path, ["Host": host])
                    #expect(reply.status == 421 && reply.problem == "wrongHost", "\(host ?? "none") \(path)")
                }
                let fields = ["Host": host, "Origin": "http://\(host ?? "")"]
                #expect(try await browser.post("/api/member.list", "{}", fields).status == 421)
            }
            // HTTP 1.1 has no request without a host.
            #expect(try await browser.get("/", ["Host": nil]).status == 400)
            #expect(try await browser.get("/", ["Host": "localhost:\(browser.port)"]).status == 200)
        }
    }

    /// CSRF: another page sends the person's cookie.
    @Test func anotherOriginCannotAsk() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let origins: [String?] = [
                nil, "null", "http://evil.example", "https://\(browser.host)",
                "http://localhost:\(browser.port)",
                "http://127.0.0.1:1", "http://\(browser.host).evil.example",
            ]
            for origin in origins {
                for path in ["/api/member.list", "/session", "/session/end"] {
                    let reply = try await browser.post(path, "{}", ["Origin": origin])
                    #expect(
                        reply.status == 403 && reply.problem == "forbidden", "\(origin ?? "none") \(path)")
                }
            }
            for type in [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
                as [String?]
            {
                #expect(
                    try await browser.post("/api/member.list", "{}", ["Content-Type": type]).status == 415)
            }
            for site in ["cross-site", "same-site"] {
                let fields = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"]
                for path in ["/session", "/events", "/api/openapi.json", "/scene/x", "/icon/x"] {
                    #expect(try await browser.get(path, fields).status == 403, "\(site) \(path)")
                }
            }
            for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"] {
                let reply = try await browser.send(
                    method, "/api/member.list", ["Origin": "http://evil.example"])
                #expect((400..<500).contains(reply.status), "\(method) \(reply.status)")
                #expect(reply.fields["access-control-allow-origin"] == nil)
            }
            #expect(try await browser.get("/session").status == 200)
        }
    }

    @Test func whoIsNotSignedInReadsNothing() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.startConsole()
            for cookie in [
                nil, "screentime_session_\(browser.port)=", "screentime_session_\(browser.port)=\"\"",
            ] as [String?] {
                browser.cookie = cookie
                for path in [
                    "/session", "/events", "/api/openapi.json", "/icon/firefox", "/scene/x?context=y",
                ] {
                    let reply = try await browser.get(path)
                    #expect(reply.status == 401 && reply.problem == "notSignedIn", "\(path)")
                }
                #expect(try await browser.post("/api/member.list").status == 401)
            }
        }
    }

    /// The port is open to every user of the machine; what another one knows is worth nothing.
    @Test(.enabled(if: getuid() == 0 && World.areInstalled("python3"), "needs root, to be another user"))
    func aProgramOfAnotherUserIsNotServed() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            let ask = """
                import sys, urllib.request
                request = urllib.request.Request('http://\(browser.host)/session')
                request.add_header('Cookie', '\(browser.cookie ?? "")')
                try: print(urllib.request.urlopen(request, timeout=30).status)
                except Exception as error: print(type(error).__name__)
                """
            let own = try await world.run("own", ["/usr/bin/python3", "-c", ask])
            #expect(own.lines == ["200"])
            let words = [
                "/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", ask,
            ]
            let other = try await world.run("other", words)
            #expect(
                other.lines == ["RemoteDisconnected"] || other.lines == ["ConnectionResetError"],
                "\(other.lines)")
            let count = try await world.consoleHealth().counters.first { $0.name == "wrong_user" }?.count
            #expect(count == 1)
        }
    }

    @Test func aBodyWithoutEndIsRefused() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let size = 100 << 20
            let connection = try RawConnection(port: browser.port)
            try connection.send(
                """
                POST /api/member.list HTTP/1.1\r\nHost: \(browser.host)\r\nOrigin: http://\(browser.host)\r
                Content-Type: application/json\r\nX-CSRF-Token: \(browser.csrf ?? "")\r
                Cookie: \(browser.cookie ?? "")\r\nContent-Length: \(size)\r\n\r\n
                """)
            let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            var left = size
            while left > 0 {
                left -= try connection.send(Array(part.prefix(left)))
                // Nobody waits for it.
                if left % 7 == 0 { #expect(try await browser.get("/").status == 200) }
                await Task.yield()
            }
            try await connection.receives("bodyTooLong")
            #expect(connection.text.hasPrefix("HTTP/1.1 413 "))
            connection.close()
            let status = world.readText("/proc/\(try world.process("console").pid)/status")
            let most = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kilobytes = try #require(most?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            #expect(kilobytes < 100 << 10, "it kept the body: \(kilobytes) kB")
            #expect(try await browser.post("/api/member.list").status == 200)
        }
    }

    @Test func aFloodOfHeaderFieldsIsRefused() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let floods = [
                "X-Long: \(String(repeating: "y", count: 200_000))\r\n",
                String(repeating: "X-Many: y\r\n", count: 20_000),
                "Cookie: \(String(repeating: "a=b; ", count: 40_000))\r\n",
            ]
            for flood in floods {
                let connection = try RawConnection(port: browser.port)
                var rest = Array("GET / HTTP/1.1\r\nHost: \(browser.host)\r\n\(flood)\r\n".utf8)
                // A refusal may come, and the connection end, before all was sent.
                while !rest.isEmpty, !connection.isEnded, let sent = try? connection.send(rest) {
                    rest.removeFirst(sent)
                    await Task.yield()
                }
                try await connection.receives("a refusal") { $0.isEnded || $0.text.hasPrefix("HTTP/1.1 4") }
                #expect(!connection.text.contains("200 OK"))
                connection.close()
            }
            #expect(try await browser.get("/").status == 200)
        }
    }

    /// As many as take hours for a request.
    @Test func slowClientsDelayNobody() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            var slow: [RawConnection] = []
            for number in 0..<200 {
                let connection = try RawConnection(port: browser.port)
                let text =
                    number % 2 == 0
                    ? "GET /tod"
                    : "POST /session HTTP/1.1\r\nHost: \(browser.host)\r\nContent-Length: 9\r\n\r\n{"
                try connection.send(text)
                slow.append(connection)
            }
            for _ in 0..<20 {
                #expect(try await browser.get("/").status == 200)
                #expect(try await browser.post("/api/member.list").status == 200)
            }
            slow.forEach { $0.close() }
        }
    }

    @Test func whatIsNoHTTPEndsNothing() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let texts = [
                "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "GET / HTTP/9.9\r\nHost: \(browser.host)\r\n\r\n",
                "\r\n\r\n\r\n\r\n",
                "GET  /  HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \(browser.host)\r\nContent-Length: -1\r\n\r\n",
                "POST /session HTTP/1.1\r\nHost: \(browser.host)\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                "GET / HTTP/1.1\r\nHost: \(browser.host)\r\nHost: evil.example\r\n\r\n",
                "GET /\u{0}/etc HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n",
            ]
            for text in texts {
                let connection = try RawConnection(port: browser.port)
                try connection.send(text)
                connection.close()
                #expect(try await browser.get("/").status == 200, "\(text)")
            }
            #expect(try world.process("console").status == nil)
        }
    }
}
