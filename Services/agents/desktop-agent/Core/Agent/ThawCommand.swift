import Bus
package import Contract
import Glibc
package import Loop
package import ServiceKit

/// `desktop-agent --thaw`: thaws what a killed agent left frozen if its guard was killed, too. Needs
/// shield-service, which has the record, and no running agent; needs no display. Prints a line for each
/// thawed app.
@LoopActor package final class ThawCommand {
    /// The command line option.
    package nonisolated static let option = "--thaw"

    private let lock: AgentLock
    private let shield: RequestClient
    private let record: FreezeRecord

    /// - Throws: `alreadyExists` if an agent runs here, since it owns what is frozen.
    package init(_ configuration: Configuration) throws(ServiceError) {
        try configuration.prepareDirectories(of: nil)
        lock = try AgentLock(configuration)
        do throws(SocketError) {
            shield = try RequestClient(
                to: .shield, in: configuration.runtime, tracer: Tracer(service: AgentName.desktopAgent))
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
        record = FreezeRecord(shield, host: DesktopAgent.hostName(), display: "")
    }

    /// Returns immediately; the process exits when done.
    package func start() {
        Task { @LoopActor in
            do throws(ServiceError) {
                try await self.record.recover(within: AgentLimits.answer)
                self.printOutcome(self.record.recovery)
            } catch {
                ServiceMain.fail(AgentName.desktopAgent, error)
            }
            self.lock.markReleased()
            EventLoop.main.stop()
        }
    }

    private func printOutcome(_ recovery: FreezeRecord.Recovery) {
        for (app, processes) in recovery.thawed.sorted(by: { $0.key < $1.key }) {
            print("thawed \(app): \(processes.count) processes")
        }
        guard !recovery.refused.isEmpty else { return }
        let left = recovery.refused.sorted { $0.key < $1.key }.map { app, processes in
            "\(app) (\(processes.map { String($0.pid) }.sorted().joined(separator: ", ")))"
        }
        ServiceMain.fail(
            AgentName.desktopAgent,
            ServiceError(
                .accessDenied, "the kernel refused to thaw \(left.joined(separator: "; "))",
                remedy: "Run kill -CONT for these processes as root."))
    }
}
