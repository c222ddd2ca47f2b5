import Contract
import ExtensionLink
import Foundation
import JSON
import Synchronization

/// Runs the program facade-double as its host does: the test answers at the other end of its socket.
final class ProgramHost: Sendable {
    struct Ended {
        var status: Int32
        var output: [String]
        var errors: [String]
    }

    private let descriptor: Int32
    private let hello: Hello.Answer

    private init(_ descriptor: Int32, _ hello: Hello.Answer) {
        self.descriptor = descriptor
        self.hello = hello
    }

    /// A directory of its own for `body`, gone afterwards.
    static func inDirectory(_ body: (String) async throws -> Void) async throws {
        let path = NSTemporaryDirectory() + "/facade-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // What is left of it lies in the machine's temporary directory.
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    static func run(
        _ arguments: [String], in directory: String, writable: Bool = true,
        environment: [String: String] = [:]
    ) async throws -> Ended {
        var hello = Hello.Answer()
        hello.client = "org.example.limits"
        hello.containerPath = directory + "/own"
        hello.groups = [
            AppGroup(
                id: "group.org.example.limits", path: directory + "/shared", writable: writable)
        ]
        return try await start(arguments, hello, environment)
    }

    private static func start(
        _ arguments: [String], _ hello: Hello.Answer, _ environment: [String: String]
    ) async throws -> Ended {
        var pair: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair)
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("facade-double")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SCREENTIME_EXTENSION_FD": "0"]) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let host = ProgramHost(pair[0], hello)
        let serving = Thread { host.serve() }
        try process.run()
        serving.start()
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let lines = [output, errors].map { pipe in
                    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                        .split(separator: "\n").map(String.init)
                }
                process.waitUntilExit()
                shutdown(host.descriptor, Int32(SHUT_RDWR))
                continuation.resume(
                    returning: Ended(
                        status: process.terminationStatus, output: lines[0], errors: lines[1]))
            }
        }
    }

    /// Answers until the program is gone.
    private func serve() {
        var frames = FrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            frames.append(buffer[..<count])
            // What a program sends here is what the link made.
            while let message = try? frames.next(), let message = try? WireMessage.read(message) {
                if case .request(let id, let method, let params, _) = message { answer(id, method, params) }
            }
        }
        close(descriptor)
    }

    private func answer(_ id: Int64, _ method: String, _ params: RawJSON?) {
        switch method {
        case Hello.method: send(WireMessage.answer(id, .success(RawJSON(encoding: hello))))
        case DarwinPost.name:
            // Written by the program that is under test.
            let name = (try? DarwinPost.Params.decode((params ?? RawJSON()).bytes))?.name ?? ""
            let data = RawJSON(encoding: DarwinPosted(name: name))
            let pushed = PushedEvent.Params(type: DarwinPosted.type, data: data)
            send(WireMessage.request(id, PushedEvent.name, RawJSON(encoding: pushed)))
            send(WireMessage.answer(id, .success(RawJSON(encoding: Written(sequence: id)))))
        default: send(WireMessage.answer(id, .success(RawJSON(encoding: Nothing()))))
        }
    }

    private func send(_ message: [UInt8]) {
        let bytes = Wire.frame(message)
        _ = write(descriptor, bytes, bytes.count)
    }
}
