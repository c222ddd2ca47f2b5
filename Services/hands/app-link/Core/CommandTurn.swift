import Bus
import Contract
import ExtensionLink
import Loop
import ServiceKit
import Time
import Units

/// The turn of the app's commands: a lock in the runtime directory, which `screentime backup` takes as well.
/// It ends with this process at the latest.
@LoopActor final class CommandTurn {
    private let runtime: RuntimeDirectory
    private var lock: AppLock?
    /// Between two looks.
    private static let look: Milliseconds = 20

    init(in runtime: RuntimeDirectory) { self.runtime = runtime }

    /// - Parameter done: also when this app's program has the turn already.
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
            _ = Reactor.shared.after(Self.look) { [weak self] in
                self?.look(client, until: end, done)
            }
        }
    }
}
