internal import Contract
package import Loop
internal import Store
package import Units

/// How far the machine's clock is ahead of the time that activity-center trusts, as it told last
/// (`time.held`); negative if behind. A setting keeps it.
@LoopActor package final class HeldTime {
    private let service: Service
    package private(set) var held: Milliseconds
    /// Called after a change was committed.
    package var onChange: (@LoopActor () -> Void)?

    private static let setting = "held_ms"

    package init(_ service: Service) throws {
        self.service = service
        let stored = try Settings(service.database).get(Self.setting)
        held = Milliseconds(stored.flatMap { Int64($0) } ?? 0)
    }

    /// Applies the events; call it for whoever follows activity-center.
    package func follow(_ following: Following) {
        following.on(TimeHeld.self) { [unowned self] in try set($0.data.held, $1) }
    }

    /// Call before the copy is rebuilt from a snapshot, which has the event only if the clocks differ.
    package func reset(_ transaction: Transaction) throws { try set(0, transaction) }

    private func set(_ fresh: Milliseconds, _ transaction: Transaction) throws {
        let before = held
        transaction.onUndo { [weak self] in self?.held = before }
        try Settings(service.database).set(Self.setting, fresh == 0 ? nil : String(fresh.count))
        held = fresh
        transaction.afterCommit { [weak self] in self?.onChange?() }
    }
}
