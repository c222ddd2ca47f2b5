internal import CMicrohttpd
import Glibc
package import Loop
import Units

/// HTTP 1.1 on a listening socket, by libmicrohttpd, without threads: its epoll descriptor is one of the
/// loop's.
@LoopActor package final class HTTPServer {
    /// Answers a request. While it waits, the connection does nothing else; it is cancelled if the client
    /// goes.
    package typealias Handler = @LoopActor (HTTPRequest) async -> HTTPResponse
    /// Judges the port of a client of loopback, in network order.
    package typealias Door = @LoopActor (_ port: UInt16) -> Bool
    let handler: Handler
    private let door: Door
    private var daemon: OpaquePointer?
    private var watching: Reactor.Token?
    private var timer: TimerToken?
    private var willRun = false
    /// The connections that wait for an answer or for more of a stream, with the watch for their end.
    private var suspended: [OpaquePointer: Reactor.Token?] = [:]

    /// - Parameters:
    ///   - listening: a bound, listening, non-blocking socket; closed with the server.
    ///   - door: asked about each new connection; one that it refuses is closed at once.
    ///   - handler: called for each complete request.
    /// - Returns: nil if libmicrohttpd cannot start.
    package init?(listening: Int32, door: @escaping Door = { _ in true }, _ handler: @escaping Handler) {
        self.handler = handler
        self.door = door
        let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        // The server outlives its daemon, which `close` stops.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        daemon = microhttpd_start(
            flags, listening, Self.accepts, Self.access, Self.completed, owner, HTTPLimits.connectionsMax,
            HTTPLimits.connectionBytes, HTTPLimits.idleSeconds)
        guard let daemon else { return nil }
        watching = Reactor.shared.watch(descriptor: microhttpd_epoll_descriptor(daemon)) { [weak self] in
            self?.run()
        }
        run()
    }

    /// Connections that are open.
    package var connections: Int { daemon.map { Int(microhttpd_connections($0)) } ?? 0 }

    /// Cuts all connections.
    package func close() {
        if let watching { Reactor.shared.forget(watching) }
        if let timer { EventLoop.main.cancel(timer) }
        (watching, timer) = (nil, nil)
        guard let daemon else { return }
        self.daemon = nil
        // libmicrohttpd ends the process if it is stopped while connections are suspended.
        for (connection, watch) in suspended {
            if let watch { Reactor.shared.forget(watch) }
            MHD_resume_connection(connection)
        }
        suspended = [:]
        MHD_stop_daemon(daemon)
    }

    /// Lets a connection wait.
    /// - Parameter gone: called if the client leaves meanwhile, or sends what nobody asked for; libmicrohttpd
    ///   does not
    ///   look at the connection.
    func suspend(_ connection: OpaquePointer, gone: (@LoopActor () -> Void)? = nil) {
        MHD_suspend_connection(connection)
        let watch = gone.map { gone in
            Reactor.shared.watch(descriptor: microhttpd_connection_descriptor(connection), gone)
        }
        suspended[connection] = watch
    }

    /// Whether the client of a suspended connection has left. It is not watched any more, since what it sends
    /// meanwhile is for later.
    func hasLeft(_ connection: OpaquePointer) -> Bool {
        guard let watch = suspended[connection] else { return false }
        if let watch { Reactor.shared.forget(watch) }
        suspended[connection] = .some(nil)
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        let count = recv(microhttpd_connection_descriptor(connection), &byte, 1, flags)
        return count == 0 || count < 0 && errno != EAGAIN
    }

    /// Lets a suspended connection continue, soon; does nothing after `close`.
    func resume(_ connection: OpaquePointer) {
        guard let watch = suspended.removeValue(forKey: connection) else { return }
        if let watch { Reactor.shared.forget(watch) }
        MHD_resume_connection(connection)
        runSoon()
    }

    private func runSoon() {
        guard !willRun else { return }
        willRun = true
        EventLoop.main.inNextTurn { [weak self] in
            self?.willRun = false
            self?.run()
        }
    }

    private func run() {
        guard let daemon else { return }
        let before = connections
        MHD_run(daemon)
        // With as many connections as may be, libmicrohttpd takes the listening socket out of its epoll set;
        // it puts it back only when it runs again after one has ended.
        if connections < before { runSoon() }
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
        var wait: CUnsignedLongLong = 0
        guard MHD_get_timeout(daemon, &wait) == .YES else { return }
        timer = EventLoop.main.after(Milliseconds(Int64(min(wait, 3_600_000)))) { [weak self] in
            self?.timer = nil
            self?.run()
        }
    }

    private static let accepts: MHD_AcceptPolicyCallback = { owner, address, _ in
        guard let owner, let address, Int32(address.pointee.sa_family) == AF_INET else { return .NO }
        let port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
        // As in `access`.
        nonisolated(unsafe) let server = owner
        return LoopActor.assumeOnLoop {
            Unmanaged<HTTPServer>.fromOpaque(server).takeUnretainedValue().door(port) ? .YES : .NO
        }
    }

    private static let access: MHD_AccessHandlerCallback = {
        owner, connection, path, method, _, part, count, kept in
        guard let owner, let connection, let path, let method, let count, let kept else { return .NO }
        // libmicrohttpd runs on the reactor's thread only (`run`), and all of these are of this call.
        nonisolated(unsafe) let (owner_, connection_, count_, kept_) = (owner, connection, count, kept)
        nonisolated(unsafe) let (path_, method_, part_) = (path, method, part)
        return LoopActor.assumeOnLoop {
            guard let pointer = kept_.pointee else {
                let server = Unmanaged<HTTPServer>.fromOpaque(owner_).takeUnretainedValue()
                let exchange = HTTPExchange(
                    connection_, server, method: String(cString: method_), path: String(cString: path_))
                // Released in `completed`.
                kept_.pointee = Unmanaged.passRetained(exchange).toOpaque()
                return .YES
            }
            let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
            guard count_.pointee > 0 else { return exchange.proceed() }
            defer { count_.pointee = 0 }
            return exchange.take(UnsafeBufferPointer(start: part_, count: count_.pointee)) ? .YES : .NO
        }
    }

    private static let completed: MHD_RequestCompletedCallback = { _, _, kept, _ in
        guard let kept, let pointer = kept.pointee else { return }
        kept.pointee = nil
        // As above.
        nonisolated(unsafe) let exchange = pointer
        LoopActor.assumeOnLoop {
            Unmanaged<HTTPExchange>.fromOpaque(exchange).takeRetainedValue().end()
        }
    }
}
