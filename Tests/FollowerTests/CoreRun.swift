import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import ServiceKit
@testable import Store

/// The core of one service, with its real store and sockets, and a client that asks it.
@LoopActor final class CoreRun {
    private let one: WriteCase
    private let directory: TestDirectory
    private(set) var service: Service?
    private(set) var core: AnyObject?
    private var client: RequestClient?
    private(set) var faults: CommitFaults?

    init(_ one: WriteCase) throws {
        self.one = one
        directory = try TestDirectory()
        try start()
        if let core { try WriteCase.seed(core) }
        service?.endTurn()
    }

    private func start() throws {
        let configuration = try directory.configuration()
        let (service, core) = try one.start(configuration)
        service.endTurn()
        (self.service, self.core) = (service, core)
        faults = CommitFaults(service.database)
        client = try RequestClient(to: one.name, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    func close() {
        client?.close()
        service?.close()
        (client, faults, service, core) = (nil, nil, nil, nil)
    }

    /// The answer, without the parts that differ each time.
    func ask(_ call: Call, _ options: CallOptions = CallOptions(deadline: 20_000)) async -> String {
        let answer = await withCheckedContinuation { continuation in
            send(call, options) { continuation.resume(returning: $0) }
        }
        return Self.text(answer)
    }

    /// The answers to requests that are sent together.
    func ask(_ calls: [Call]) async throws -> [String] {
        var answers: [Int: String] = [:]
        let expectation = Expectation<Void>("\(calls.count) answers, \(answers.count) came")
        for (number, call) in calls.enumerated() {
            send(call, CallOptions(deadline: 20_000)) { answer in
                answers[number] = Self.text(answer)
                if answers.count == calls.count { expectation.fulfil(()) }
            }
        }
        try await expectation.wait()
        return answers.sorted { $0.key < $1.key }.map(\.value)
    }

    private func send(
        _ call: Call, _ options: CallOptions,
        _ completion: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        var options = options
        options.client = call.client
        client?.sendRaw(
            method: call.method, params: Array(call.params.utf8),
            isWrite: (Registry.commonMethods + Registry.methods).first { $0.name == call.method }?.effect
                == .write,
            traceparent: TraceContext.root().traceparent, options: options, completion: completion)
    }

    private static func text(_ answer: Result<RawJSON, ServiceError>) -> String {
        switch answer {
        case .failure(let error): return "error \(error.name.rawValue) \(error.message)"
        case .success(let result):
            return String(decoding: result.bytes, as: UTF8.self)
                .replacing(/"(traceparent|time)":"[^"]*"/, with: "")
        }
    }

    /// Lets every write fail after its handler.
    func refuseAnswers(_ isOn: Bool) throws {
        try service?.database.connection.execute(
            isOn
                ? """
                CREATE TEMP TRIGGER refuse BEFORE INSERT ON answer
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """
                : "DROP TRIGGER refuse", tried: "refusing answers")
    }

    /// After `write` was refused: memory equals the store. Then repeats the write without the fault.
    func compare(_ write: Call) async throws {
        var before: [String] = []
        for read in one.reads { before.append(await ask(read)) }
        close()
        try start()
        for (read, known) in zip(one.reads, before) {
            let found = await ask(read)
            #expect(known == found, "after a refused \(write), \(read)")
        }
        let made = await ask(write)
        #expect(!made.hasPrefix("error"), "\(write): \(made)")
    }
}
