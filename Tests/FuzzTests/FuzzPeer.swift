import Units
import Contract
import JSON
import Loop
import ScreenTimeTesting

@testable import Bus

/// A DEALER without any of our manners: sends bytes, and counts what comes back.
@LoopActor final class FuzzPeer {
    let service: ServiceName
    private let socket: Socket
    private var token: Reactor.Token?
    private var answered: (@LoopActor ([UInt8]) -> Void)?
    private var waiting: Expectation<Void>?
    private(set) var open = 0
    /// Requests by number, until an answer names them: open ones, and those so malformed that their answer
    /// could not name them.
    private(set) var unnamed: [Int64: String] = [:]

    init(_ service: ServiceName, in directory: RuntimeDirectory) throws {
        self.service = service
        socket = try Socket(.dealer, bytesMax: 2 * Limits.messageBytesMax)
        try socket.connect(directory.endpoint(service, .requests))
        token = Reactor.shared.watch(socket: socket) { [weak self] in self?.take() }
    }

    isolated deinit { close() }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    /// - Parameter answered: called with each answer.
    func onAnswer(_ answered: @escaping @LoopActor ([UInt8]) -> Void) { self.answered = answered }

    func send(_ text: String, number: Int64 = 0) async throws {
        unnamed[number] = text
        try await eventually("a request is sent") { try socket.send(Array(text.utf8)) == .sent }
        open += 1
    }

    /// Suspends until at most `count` requests are open.
    func settle(to count: Int, deadline: Milliseconds = 120_000) async throws {
        while open > count {
            let expectation = Expectation<Void>("answers of \(self.service.rawValue): \(self.open) are open")
            waiting = expectation
            try await expectation.wait(deadline: deadline)
        }
        if open == 0 { unnamed.removeAll() }
    }

    /// The service is no more: nothing will be answered.
    func giveUp(_ error: any Error) { waiting?.fail(error) }

    private func take() {
        var frame = Frame()
        // An error ends the loop like an empty queue; the test then times out and reports that.
        while (try? socket.receive(&frame)) == true {
            open -= 1
            let bytes = frame.bytes
            // What is no answer names nothing.
            if let id = (try? Answer.decode(bytes))?.id, let number = try? id.decoded(as: Int64.self) {
                unnamed[number] = nil
            }
            answered?(bytes)
        }
        waiting?.fulfil(())
    }
}
