import Bus
import Contract
import ExtensionLink
import Loop
import ServiceKit
import Time
import Units

/// The lock of the app's commands in the runtime directory, which `screentime backup` takes, too. It ends
/// with this process at the latest.
@LoopActor final class CommandTurn {
    private let runtime: RuntimeDirectory
    private var lock: AppLock?
    /// Milliseconds between two attempts to take the lock.
    private static let look: Milliseconds = 20

    init(in runtime: RuntimeDirectory) { self.runtime = runtime }

    /// Takes or releases the lock; returns also if this app's program already holds it.
    /// - Throws: `alreadyExists` if another program holds it until the deadline.
    func change(
        _ params: LinkTurn.Params, of client: String, deadline: Milliseconds
    ) async throws(ServiceError) {
        guard params.held else {
            lock = nil
            return
        }
        let end = EventLoop.main.now + deadline
        while lock == nil {
            do throws(ServiceError) {
                lock = try AppLock(of: client, in: runtime)
            } catch {
                guard error.name == .alreadyExists else { throw error }
                guard EventLoop.main.now + Self.look < end else { throw AppLock.busy(client) }
                await EventLoop.main.sleep(Self.look)
            }
        }
    }
}
