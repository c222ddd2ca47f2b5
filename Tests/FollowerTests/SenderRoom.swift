import Bus
import Contract
import Loop
import ServiceKit

@testable import DesktopCore

/// An agent's sender of observations, and the server that takes them.
@LoopActor final class SenderRoom {
    let configuration: Configuration
    let tracer = Tracer(service: "test")
    let server: RequestServer
    let sender: ObservationSender
    private let client: RequestClient
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
        configuration = try directory.configuration()
        try configuration.prepareDirectories(of: .activity)
        server = try RequestServer(.activity, in: configuration.runtime, tracer: tracer)
        client = try RequestClient(to: .activity, in: configuration.runtime, tracer: tracer)
        let log = try Log(name: "agent", directory: configuration.logDirectory, level: .error)
        sender = ObservationSender(client, device: "here", log: log)
    }

    func close() {
        sender.close()
        client.close()
        server.close()
    }

    /// Waits until everything is acknowledged or refused.
    func empty() async {
        await withCheckedContinuation { continuation in
            sender.whenEmpty(within: 60_000) { continuation.resume() }
        }
    }
}
