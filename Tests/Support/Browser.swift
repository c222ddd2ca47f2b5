import Glibc
package import Loop
import ScreenTimeTesting

/// Speaks to the console as a browser does, one connection a request; or as somebody hostile, where a test
/// says so.
@LoopActor package final class Browser {
    /// An answer, complete.
    package struct Reply {
        package var status: Int
        /// By lower-case name.
        package var fields: [String: String]
        package var body: [UInt8]
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let port: UInt16
    /// `NAME=VALUE` of the session.
    package var cookie: String?
    package var csrf: String?
    package var host: String { "127.0.0.1:\(port)" }

    package init(port: UInt16) { self.port = port }

    /// Sends a request and waits for its answer.
    /// - Parameter fields: beside `Host` and the cookie; one that is named here replaces those, nil leaves it
    ///   out.
    package func send(
        _ method: String, _ path: String, _ fields: [String: String?] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let connection = try RawConnection(port: port)
        defer { connection.close() }
        let isGiven = !body.isEmpty || method == "POST"
        let length: [String: String?] = isGiven ? ["Content-Length": String(body.count)] : [:]
        var rest = Array(
            head(method, path, ["Connection": "close"].merging(length) { $1 }.merging(fields) { $1 }).utf8)
        rest += body
        while !rest.isEmpty, !connection.isEnded {
            rest.removeFirst(try connection.send(rest))
            await Task.yield()
        }
        try await connection.receives("the answer to \(method) \(path)") { $0.isEnded }
        return try Self.reply(connection.received)
    }

    package func get(_ path: String, _ fields: [String: String?] = [:]) async throws -> Reply {
        try await send("GET", path, fields)
    }

    /// Sends JSON as a page does.
    package func post(
        _ path: String, _ json: String = "{}", _ fields: [String: String?] = [:]
    ) async throws -> Reply {
        let own: [String: String?] = [
            "Origin": "http://\(host)", "Content-Type": "application/json", "X-CSRF-Token": csrf,
        ]
        return try await send("POST", path, own.merging(fields) { $1 }, body: Array(json.utf8))
    }

    /// Redeems the ticket of an address.
    @discardableResult package func signIn(_ address: String) async throws -> Reply {
        let ticket = address.split(separator: "#").last.map(String.init) ?? ""
        let reply = try await post("/session", #"{"ticket":"\#(ticket)"}"#)
        guard reply.status == 200 else { return reply }
        cookie = reply.fields["set-cookie"]?.split(separator: ";").first.map(String.init)
        csrf = reply.text.split(separator: "\"").last { $0.count == 64 }.map(String.init)
        return reply
    }

    /// Begins a stream of events.
    package func events(after id: String? = nil, receiveBuffer: Int32? = nil) throws -> RawConnection {
        let connection = try RawConnection(port: port, receiveBuffer: receiveBuffer)
        try connection.send(head("GET", "/events", ["Last-Event-ID": id]))
        return connection
    }

    private func head(_ method: String, _ path: String, _ fields: [String: String?]) -> String {
        let own: [String: String?] = ["Host": host, "Cookie": cookie]
        let lines = own.merging(fields) { $1 }.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { "\(name): \($0)\r\n" }
        }
        return "\(method) \(path) HTTP/1.1\r\n\(lines.joined())\r\n"
    }

    private static func reply(_ bytes: [UInt8]) throws -> Reply {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else {
            throw Overdue("no answer of HTTP: '\(String(decoding: bytes.prefix(200), as: UTF8.self))'")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw Overdue("no status line: \(lines)") }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return Reply(status: status, fields: fields, body: Array(bytes[(end + separator.count)...]))
    }
}
