import Bus
import CommandKit
import Contract
import Loop
import ServiceKit
import Time
import Units

/// The turns of all installed apps of the system: until ``end()``, none of their commands changes rules or
/// registers.
@LoopActor final class AppTurns {
    private var locks: [AppLock]
    private static let waitMax: Milliseconds = 10_000
    private static let waitStep: Milliseconds = 50

    private init(_ locks: [AppLock]) { self.locks = locks }

    func end() { locks = [] }

    /// Waits for commands that are at work.
    /// - Throws: `deadlineExceeded` when one does not end.
    static func take(in runtime: RuntimeDirectory) async throws -> AppTurns {
        // After a reboot, and on a new machine, no service has made it yet.
        try runtime.prepare()
        let end = MonotonicClock.now + waitMax
        var locks: [AppLock] = []
        for client in try InstalledApps.all().filter(\.takesTurns).map(\.client) {
            locks.append(try await take(client, runtime, until: end))
        }
        return AppTurns(locks)
    }

    private static func take(
        _ client: String, _ runtime: RuntimeDirectory, until end: Milliseconds
    ) async throws -> AppLock {
        var isSaid = false
        while true {
            do throws(ServiceError) { return try AppLock(of: client, in: runtime) } catch {
                guard error.name == .alreadyExists else { throw error }
                guard MonotonicClock.now < end else { throw AppLock.busy(client) }
                if !isSaid { Console.note("a command of \(client) is at work; waiting") }
                isSaid = true
            }
            try await Task.sleep(for: .milliseconds(waitStep.count))
        }
    }
}
