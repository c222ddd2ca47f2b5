import Glibc
package import Loop
import ScreenTimeTesting

/// A TCP connection to loopback that sends what a test says, byte for byte.
@LoopActor package final class RawConnection {
    private var descriptor: Int32
    private var watching: Reactor.Token?
    package private(set) var received: [UInt8] = []
    /// Whether the other side has closed.
    package private(set) var isEnded = false
    private var waiting: [(isEnough: @LoopActor (RawConnection) -> Bool, done: Expectation<Void>)] = []
    /// Whether what comes is read.
    package var isReading = true {
        didSet { watch() }
    }

    /// - Parameter receiveBuffer: bytes that the kernel keeps for it while it does not read; nil: as many as
    ///   it likes.
    package init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<Int32>.size)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
        }
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Overdue("connect: errno \(errno)") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        watch()
    }

    /// The text that has come.
    package var text: String { String(decoding: received, as: UTF8.self) }

    /// The body of a response that is sent in chunks (RFC 9112, 7.1), as far as it has come.
    package var streamed: String {
        var rest = received[...]
        func line() -> String? {
            guard let end = rest.firstIndex(of: 0x0A) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end].filter { $0 != 0x0D }, as: UTF8.self)
        }
        while let field = line(), !field.isEmpty {}
        var body: [UInt8] = []
        while let size = line().flatMap({ Int($0, radix: 16) }), size > 0 {
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return String(decoding: body, as: UTF8.self)
    }

    /// Sends a request without a body.
    package func get(_ path: String, _ fields: String = "") throws {
        try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends what the socket takes at once.
    /// - Returns: how many bytes those were.
    @discardableResult package func send(_ bytes: [UInt8]) throws -> Int {
        let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count >= 0 || errno == EAGAIN else { throw Overdue("send: errno \(errno)") }
        return max(0, count)
    }

    /// Suspends until what has come is enough, or the other side has closed.
    package func receives(
        _ what: String, _ isEnough: @escaping @LoopActor (RawConnection) -> Bool
    ) async throws {
        guard !isEnough(self) else { return }
        let done = Expectation<Void>("\(what); there is: \(self.text.suffix(300))")
        waiting.append((isEnough, done))
        try await done.wait()
    }

    /// Suspends until this text has come.
    package func receives(_ text: String) async throws {
        try await receives(text) { $0.text.contains(text) }
    }

    package func close() {
        if let watching { Reactor.shared.forget(watching) }
        watching = nil
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    private func watch() {
        if let watching { Reactor.shared.forget(watching) }
        watching =
            isReading ? Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.read() } : nil
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 || errno != EAGAIN else { return }
        if count > 0 {
            received += buffer[..<count]
        } else {
            isEnded = true
            close()
        }
        waiting.removeAll { entry in
            guard entry.isEnough(self) else { return false }
            entry.done.fulfil(())
            return true
        }
    }
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

/// A listening socket of loopback, and its port.
package func listeningSocket() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard isBound else { throw Overdue("a listening socket: errno \(errno)") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}
