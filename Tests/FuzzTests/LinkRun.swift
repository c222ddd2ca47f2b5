import Units
import Contract
import ExtensionLink
import Glibc
import JSON
import Loop
import ServiceKit
import ScreenTimeTesting

@testable import AppLinkCore
@testable import Hosting
import Time

/// Speaks to the hosts of programs as a hostile program does: frames to an app's link, requests to the host
/// of an extension of each kind, and bytes that are no frames to the reader of them.
@LoopActor final class LinkRun {
    private let schemas = Schemas()
    private let note: @LoopActor (String) -> Void
    private var maker: RequestMaker
    private var chance: Chance
    private let extensions: [HostedExtension]
    private let apps: [ProgramPeer]
    private(set) var requestsCount = 0
    private(set) var framesCount = 0

    /// - Parameter host: of a service that runs in this process.
    init(
        _ configuration: Configuration, host: ExtensionHosting, seed: UInt64,
        note: @escaping @LoopActor (String) -> Void
    ) throws {
        self.note = note
        maker = RequestMaker(schemas, seed: seed, now: WallTime.now)
        chance = Chance(seed: seed)
        let points: [ExtensionPoint] = [.monitor, .shieldConfiguration, .shieldAction, .report]
        extensions = points.map { point in
            HostedExtension(
                ExtensionRecord(
                    id: "org.test.client.\(point)", client: "org.test.client", point: point, path: "/nowhere",
                    executable: "/nowhere/x"), host)
        }
        apps = try ["org.test.client", BuiltInClient.limits].map { try ProgramPeer(configuration, $0) }
    }

    func run(seconds: Int64) async throws {
        let end = MonotonicClock.now + .seconds(seconds)
        while MonotonicClock.now < end {
            readFrames()
            for app in apps { try await ask(app) }
            for program in extensions { try await ask(program) }
        }
        apps.forEach { $0.close() }
    }

    /// A complete message; `readFrames` breaks the wire's own rules.
    private func request() -> (bytes: [UInt8], id: Int64, ProgramRequest) {
        while true {
            let bytes = Array(maker.requestOfProgram().utf8)
            // What is no message ends the connection.
            guard bytes.count <= Wire.messageBytesMax, let message = try? WireMessage.read(bytes),
                case .request(let id, let method, let params, let deadline) = message,
                // Who gives an hour waits for the person as long.
                (deadline ?? 0) <= Limits.requestDeadline
            else { continue }
            requestsCount += 1
            let request = ProgramRequest(method: method, params: params, deadline: deadline)
            return (bytes, id, request)
        }
    }

    private func ask(_ app: ProgramPeer) async throws {
        let (bytes, id, request) = request()
        note("link of \(app.client) \(String(decoding: bytes, as: UTF8.self))")
        let expectation = Expectation<Void>("the link's answer to \(request.method) \(id)")
        app.ask(id, bytes) { expectation.fulfil(()) }
        try await expectation.wait(deadline: 120_000)
    }

    private func ask(_ program: HostedExtension) async throws {
        let (bytes, _, request) = request()
        // Without a process there is nothing to greet.
        guard request.method != Hello.method else { return }
        note("host of \(program.program.id) \(String(decoding: bytes, as: UTF8.self))")
        let expectation = Expectation<Void>("the host's answer to \(request.method)")
        program.asked(ProgramRun(started: 0), request) { _ in expectation.fulfil(()) }
        try await expectation.wait(deadline: 120_000)
    }

    /// Some frames, complete, cut and with changed bytes, in pieces of any length.
    private func readFrames() {
        var bytes: [UInt8] = []
        for _ in 0..<3 { bytes += Wire.frame(request().bytes) }
        for _ in 0..<chance.pick([0, 1, 3]) where !bytes.isEmpty {
            let place = chance.isLucky(30) ? chance.pick([0, 1, 2, 3]) : chance.pick(Array(bytes.indices))
            bytes[place] = UInt8(truncatingIfNeeded: chance.next())
        }
        note("frames \(bytes.count) bytes: \(bytes.map { String($0, radix: 16) }.joined(separator: " "))")
        var reader = FrameReader()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(chance.pick([1, 3, 4, 100, 16_384]))
            rest = rest.dropFirst(piece.count)
            reader.append(piece)
            do {
                while let message = try reader.next() {
                    framesCount += 1
                    _ = try WireMessage.read(message)
                }
            } catch { return }  // The connection would end here.
        }
    }
}

/// The app's end of a link in this process.
@LoopActor final class ProgramPeer {
    let client: String
    private let link: AppLink
    private let socket: Int32
    private var token: Reactor.Token?
    private var frames = FrameReader()
    private var unsent: [UInt8] = []
    private var waiting: [Int64: @LoopActor () -> Void] = [:]

    init(_ configuration: Configuration, _ client: String) throws {
        self.client = client
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw Overdue("socketpair: errno \(errno)") }
        socket = pair[0]
        link = AppLink(configuration, try AppOptions(["--socket", String(pair[1]), "--client", client]))
        link.start { error in
            guard let error else { return }
            preconditionFailure("the link ended: \(error.message)")
        }
        watch()
    }

    /// The link sees the end of its app.
    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        shutdown(socket, Int32(SHUT_RDWR))
    }

    func ask(_ id: Int64, _ message: [UInt8], answered: @escaping @LoopActor () -> Void) {
        waiting[id] = answered
        unsent += Wire.frame(message)
        move()
    }

    private func watch() {
        if let token { Reactor.shared.forget(token) }
        token = Reactor.shared.watch(descriptor: socket, writable: !unsent.isEmpty) { [weak self] in
            self?.move()
        }
    }

    private func move() {
        let count = unsent.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count > 0 { unsent.removeFirst(count) }
        watch()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { return }
            frames.append(buffer[..<count])
            do {
                while let message = try frames.next() {
                    // Events that the link pushes are requests, and need no answer.
                    if case .answer(let id, _) = try WireMessage.read(message) {
                        waiting.removeValue(forKey: id)?()
                    }
                }
            } catch { preconditionFailure("the link does not keep to the protocol: \(error)") }
        }
    }
}
