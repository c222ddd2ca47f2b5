import Contract
import ExtensionLink
import Glibc
import JSON
import Synchronization

/// The host's end of a connection, played by a thread of the test.
final class LinkHost: Sendable {
    typealias Answering = @Sendable (LinkHost, _ id: Int64, _ method: String, RawJSON?) -> Void

    let descriptor: Int32
    private let seen = Mutex<[String]>([])
    private let answers = Mutex<[Int64: Result<RawJSON, ServiceError>]>([:])
    private let ended = Mutex(false)

    /// Methods asked for so far, in order.
    var methods: [String] { seen.withLock { $0 } }
    func answer(to id: Int64) -> Result<RawJSON, ServiceError>? { answers.withLock { $0[id] } }
    var hasEnded: Bool { ended.withLock { $0 } }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// A link with this host at its other end, each time it connects.
    static func link(_ answering: @escaping Answering) -> Link { link(hosts: { _ in }, answering: answering) }

    /// - Parameter hosts: gets the host of each connection.
    static func link(
        journal: Int32 = -1, hosts: @escaping @Sendable (LinkHost) -> Void,
        answering: @escaping Answering = { host, id, method, _ in host.greet(id, method) }
    ) -> Link {
        Link(connecting: sockets(journal: journal, hosts: hosts, answering))
    }

    /// Makes a connection with a host at its other end, each time.
    static func sockets(
        journal: Int32 = -1, hosts: @escaping @Sendable (LinkHost) -> Void = { _ in },
        _ answering: @escaping Answering
    ) -> @Sendable () -> LinkSocket {
        {
            var pair: [Int32] = [-1, -1]
            _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair)
            let host = LinkHost(pair[1])
            hosts(host)
            host.run(answering)
            return LinkSocket(descriptor: pair[0], journal: journal, lifetime: .ofTest)
        }
    }

    private func run(_ answering: @escaping Answering) {
        testThread { [self] in
            var frames = FrameReader()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return ended.withLock { $0 = true } }
                frames.append(buffer[..<count])
                // What a program sends here is what the link made.
                while let message = try? frames.next(), let read = try? WireMessage.read(message) {
                    take(read, answering)
                }
            }
        }
    }

    private func take(_ message: WireMessage, _ answering: Answering) {
        switch message {
        case .request(let id, let method, let params, _):
            seen.withLock { $0.append(method) }
            answering(self, id, method, params)
        case .answer(let id, let result): answers.withLock { $0[id] = result }
        }
    }

    /// Answers `hello` and `subscribe`; everything else with an empty object.
    func greet(_ id: Int64, _ method: String) {
        guard method == Hello.method else {
            return send(WireMessage.answer(id, .success(RawJSON(encoding: Nothing()))))
        }
        var hello = Hello.Answer()
        hello.client = "org.example.app"
        hello.member = "uid-1"
        send(WireMessage.answer(id, .success(RawJSON(encoding: hello))))
    }

    func send(_ message: [UInt8]) { sendBytes(Wire.frame(message)) }

    func sendBytes(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Runs `body` on a thread of its own.
func testThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { pointer in
            guard let pointer else { return nil }
            Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    pthread_detach(thread)
}

private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A value that several threads use.
final class Guarded<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        try value.withLock { try body(&$0) }
    }
}
