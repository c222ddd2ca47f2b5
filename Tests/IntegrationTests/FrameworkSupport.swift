import Contract
import ExtensionLink
import Foundation
import Glibc
import JSON
import ScreenTimeTesting
import Synchronization
import Testing

/// An extension program alone with a host that this test plays.
final class ProgramHost: Sendable {
    private struct State {
        var frames = FrameReader()
        var nextID: Int64 = 1
    }
    private let socket: Int32
    private let pid: pid_t
    private let state = Mutex(State())

    /// Starts a program of the build, as a host does.
    init(_ name: String) throws {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        socket = pair[0]
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], 3)
        let path = World.products + "/" + name
        let argv = [strdup(path), nil]
        let envp = [strdup("\(Wire.descriptorKey)=3"), strdup("TZ=UTC"), nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, path, &actions, nil, argv, envp)
        close(pair[1])
        guard failure == 0 else { throw Overdue("starting \(name): errno \(failure)") }
        pid = child
    }

    deinit {
        close(socket)
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Sends a request to the program and answers the program's requests meanwhile. Blocks a separate thread.
    func ask<R: HostRequest>(_ request: R.Type, _ params: R.Params) async throws -> R.Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try self.asked(request, params) }) }.start()
        }
    }

    private func asked<R: HostRequest>(_ request: R.Type, _ params: R.Params) throws -> R.Result {
        try state.withLock { state in try asked(request, params, &state) }
    }

    private func asked<R: HostRequest>(
        _ request: R.Type, _ params: R.Params, _ state: inout State
    ) throws -> R.Result {
        let id = state.nextID
        state.nextID += 1
        try send(WireMessage.request(id, R.name, RawJSON(encoding: params)))
        while true {
            switch try receive(&state) {
            case .answer(id, let result): return try R.Result.decode(result.get().bytes)
            case .answer: continue
            case .request(let asked, let method, _, _): try answer(asked, method)
            }
        }
    }

    private func answer(_ id: Int64, _ method: String) throws {
        guard method == Hello.method else {
            let refusal = ServiceError(.accessDenied, "not here", remedy: "Ask elsewhere.")
            return try send(WireMessage.answer(id, .failure(refusal)))
        }
        try send(WireMessage.answer(id, .success(RawJSON(encoding: Hello.Answer()))))
    }

    private func send(_ message: [UInt8]) throws {
        let bytes = Wire.frame(message)
        guard write(socket, bytes, bytes.count) == bytes.count else { throw Overdue("the program is gone") }
    }

    private func receive(_ state: inout State) throws -> WireMessage {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let message = try state.frames.next() { return try WireMessage.read(message) }
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { throw Overdue("the program said nothing: \(count), errno \(errno)") }
            state.frames.append(buffer[..<count])
        }
    }
}

extension World {
    /// The services that a monitor extension has to do with, an approved app, and its program installed.
    func startFrameworkMonitor(_ client: String = "org.example.app") async throws {
        try await approve(client, try record(.auth))
        let path = "\(directory)/bundles/\(client).monitor"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let list = FixtureBundle.propertyList(
            id: client + ".monitor", executable: "framework-monitor",
            principal: "$(PRODUCT_MODULE_NAME).FrameworkMonitor")
        try list.write(toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/framework-monitor", withDestinationPath: World.products + "/framework-monitor")
        _ = try await call(ExtensionInstall.self, ExtensionInstall.Params(path: path, client: client))
    }

    /// What the program printed while it ran: its lines, without those that it logged.
    func printed(_ client: String = "org.example.app") throws -> [String] {
        let lines = readText("\(directory)/state/logs/\(client).monitor.log").split(separator: "\n")
        return try lines.map { try JSONValue.decode(Array($0.utf8)) }
            .filter { $0["subsystem"] == nil }
            .compactMap { $0["message"]?.stringValue }
            .filter { $0 != Self.made }
    }

    /// What it prints when it is created, also at the installation.
    static var made: String { "made on the main thread: true" }

    func store(_ name: String, client: String = "org.example.app") async throws -> [String: JSONValue] {
        let store = try await call(SettingsRead.self, SettingsRead.Params(store: name), client: client).store
        return Dictionary(uniqueKeysWithValues: store.settings.map { ($0.key, $0.value) })
    }
}
