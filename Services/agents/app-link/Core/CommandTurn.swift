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

    /// - Parameter done: called with success also if this app's program already holds the lock.
    func change(
        _ params: LinkTurn.Params, of client: String, deadline: Milliseconds,
        done: @escaping @LoopActor (Result<Nothing, ServiceError>) -> Void
    ) {
        guard params.held else {
            lock = nil
            return done(.success(Nothing()))
        }
        look(client, until: MonotonicClock.now + deadline, done)
    }

    private func look(
        _ client: String, until end: Milliseconds,
        _ done: @escaping @LoopActor (Result<Nothing, ServiceError>) -> Void
    ) {
        do throws(ServiceError) {
            if lock == nil { lock = try AppLock(of: client, in: runtime) }
            done(.success(Nothing()))
        } catch {
            guard error.name == .alreadyExists else { return done(.failure(error)) }
            guard MonotonicClock.now + Self.look < end else {
                return done(.failure(AppLock.busy(client)))
            }
            _ = EventLoop.main.after(Self.look) { [weak self] in
                self?.look(client, until: end, done)
            }
        }
    }
}
