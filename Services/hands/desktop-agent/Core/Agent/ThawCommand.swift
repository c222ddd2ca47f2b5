import Bus
package import Contract
import Glibc
package import Loop
package import ServiceKit

/// `desktop-agent --thaw`: lets go on what an agent left frozen that was killed together with its guard.
/// Needs shield-service, which has the record, and that no agent runs; no display. Prints a line for each app
/// that it thawed.
@LoopActor package final class ThawCommand {
    package nonisolated static let option = "--thaw"

    private let lock: AgentLock
    private let shield: RequestClient
    private let record: FreezeRecord

    /// - Throws: `alreadyExists` when an agent runs here: what is frozen is its own.
    package init(_ configuration: Configuration) throws(ServiceError) {
        try configuration.prepareDirectories(of: nil)
        lock = try AgentLock(configuration)
        do throws(SocketError) {
            shield = try RequestClient(
                to: .shield, in: configuration.runtime, tracer: Tracer(service: Hand.desktopAgent))
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
        record = FreezeRecord(shield, host: DesktopAgent.hostName(), display: "")
    }

    /// Returns at once; the process ends when all is done.
    package func start() {
        Task { @LoopActor in
            do throws(ServiceError) {
                self.tell(try await self.record.recover(within: AgentLimits.answer))
            } catch {
                ServiceMain.fail(Hand.desktopAgent, error)
            }
            self.lock.markLeft()
            Reactor.shared.stop()
        }
    }

    private func tell(_ recovery: FreezeRecord.Recovery) {
        for (app, processes) in recovery.thawed.sorted(by: { $0.key < $1.key }) {
            print("thawed \(app): \(processes.count) processes")
        }
        guard !recovery.refused.isEmpty else { return }
        let left = recovery.refused.sorted { $0.key < $1.key }.map { app, processes in
            "\(app) (\(processes.map { String($0.pid) }.sorted().joined(separator: ", ")))"
        }
        ServiceMain.fail(
            Hand.desktopAgent,
            ServiceError(
                .accessDenied, "the kernel refused to thaw \(left.joined(separator: "; "))",
                remedy: "Run kill -CONT for these processes as root."))
    }
}
