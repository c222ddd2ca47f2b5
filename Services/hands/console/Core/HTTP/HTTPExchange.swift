internal import CMicrohttpd
import Loop

/// One request of a connection from its first line until its response is sent. libmicrohttpd keeps it.
@LoopActor final class HTTPExchange {
    private let connection: OpaquePointer
    private unowned let server: HTTPServer
    private var request: HTTPRequest
    /// Bytes of the body that were read and dropped, because it is too long.
    private var dropped = 0
    private var isTooLong: Bool { dropped > 0 }
    private var task: Task<Void, Never>?
    private var response: HTTPResponse?

    init(_ connection: OpaquePointer, _ server: HTTPServer, method: String, path: String) {
        self.connection = connection
        self.server = server
        request = HTTPRequest(method: method, path: path)
        request.fields = values(.HEADER_KIND).reduce(into: [:]) { fields, field in
            let name = field.name.lowercased()
            if let first = fields[name], first != field.value {
                // A list (RFC 9110, 5.3): of two hosts or origins neither is believed.
                fields[name] = "\(first), \(field.value)"
            } else if fields[name] == nil {
                fields[name] = field.value
            }
        }
        takeAbsoluteForm()
        request.query = values(.GET_ARGUMENT_KIND).reduce(into: [:]) { query, argument in
            if query[argument.name] == nil { query[argument.name] = argument.value }
        }
    }

    /// `GET http://HOST/path`, as to a proxy: then HOST counts, not the field (RFC 9112, 3.2.2).
    private func takeAbsoluteForm() {
        let scheme = "http://"
        guard request.path.prefix(scheme.count).lowercased() == scheme else { return }
        let rest = request.path.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" }
        request.fields["host"] = String(host)
        request.path = host.count == rest.count ? "/" : String(rest.dropFirst(host.count))
    }

    /// Takes a part of the body.
    /// - Returns: false if the connection is to be cut, because the body has no end.
    func take(_ part: UnsafeBufferPointer<CChar>) -> Bool {
        guard !isTooLong, request.body.count + part.count <= HTTPLimits.bodyBytesMax else {
            // Read to its end, because most clients read the answer only then.
            dropped += request.body.count + part.count
            request.body = []
            return dropped <= HTTPLimits.droppedBytesMax
        }
        request.body += part.lazy.map { UInt8(bitPattern: $0) }
        return true
    }

    /// The request is complete, or its response is ready.
    func proceed() -> MHD_Result {
        if isTooLong, response == nil { response = .tooLong }
        if let response { return queue(response) }
        server.suspend(connection) { [weak self] in
            guard let self else { return }
            // Who waits for nothing needs no answer; what was begun may end early.
            if server.hasLeft(connection) { task?.cancel() }
        }
        task = Task { @LoopActor [request, weak self] in
            guard let handler = self?.server.handler else { return }
            let response = await handler(request)
            self?.answer(response)
        }
        return .YES
    }

    private func answer(_ response: HTTPResponse) {
        self.response = response
        server.resume(connection)
    }

    /// The response was sent, or the connection was cut.
    func end() {
        task?.cancel()
        if case .stream(let stream) = response?.body { stream.wasCut() }
    }

    // MARK: libmicrohttpd

    private func values(_ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values(
                connection, kind,
                { found, _, name, value in
                    guard let found, let name else { return .YES }
                    // The pointer of this call, which ends after it.
                    found.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
                        (String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, found)
        }
        return found
    }

    private func queue(_ response: HTTPResponse) -> MHD_Result {
        guard let raw = raw(response.body) else { return .NO }
        defer { MHD_destroy_response(raw) }
        for field in response.fields { _ = MHD_add_response_header(raw, field.name, field.value) }
        return MHD_queue_response(connection, UInt32(response.status), raw)
    }

    private func raw(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(var bytes):
            return MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
        case .stream(let stream):
            stream.begin(on: server)
            let reading = Reading(stream, connection)
            return MHD_create_response_from_callback(
                microhttpd_size_unknown(), 16 << 10,
                { reading, _, buffer, count in
                    guard let reading, let buffer else { return microhttpd_end_of_stream() }
                    // Retained until the callback below.
                    let kept = Unmanaged<Reading>.fromOpaque(reading).takeUnretainedValue()
                    return LoopActor.assumeOnLoop {
                        kept.stream.read(
                            into: UnsafeMutableBufferPointer(start: buffer, count: count), of: kept.connection
                        )
                    }
                }, Unmanaged.passRetained(reading).toOpaque(),
                { reading in reading.map { Unmanaged<Reading>.fromOpaque($0).release() } })
        }
    }

    /// What libmicrohttpd hands to its callback when it wants more of a stream.
    private final class Reading {
        let stream: HTTPStream
        let connection: OpaquePointer
        init(_ stream: HTTPStream, _ connection: OpaquePointer) {
            self.stream = stream
            self.connection = connection
        }
    }
}
