package import Contract
package import Loop
package import Store

/// One service: what it stores, answers and follows. ``ServiceMain`` runs it in a process of its own; tests
/// and simulations start it on another ``Platform``. The six services have this shape.
///
/// Its life: `init` reads the store; `registerMethods` says what it answers; `follow` completes what an
/// earlier run left undone and follows other services, in one transaction that is committed before the
/// service is ready; then `ready`, turns, and `stop`.
@LoopActor package protocol ServiceProgram: AnyObject {
    /// Its name on the bus.
    nonisolated static var name: ServiceName { get }
    /// The schema of its store.
    static var migrations: [Migration] { get }
    /// The tables of its store whose rows are set aside if they cannot be read.
    static var records: [RecordTable] { get }
    /// The tables of its own that only copy another service's data. They are not what it holds: a store with
    /// nothing else is as after its first start.
    static var copyTables: [String] { get }
    /// What it runs in.
    var service: Service { get }

    /// Reads its state from the store; opens no sockets.
    init(_ service: Service) throws
    /// Registers every method that it answers.
    func registerMethods()
    /// Writes what must be complete before others see it, and follows other services.
    func follow() throws
    /// Called when it is ready, once.
    func ready()
    /// A page of its present state as events, for `events.snapshot`.
    func snapshot(_ page: String?) throws -> SnapshotPage
    /// What it deletes for `privacy.forget`.
    var forgetPlan: ForgetPlan { get }
    /// Writes what it has collected in this turn. An error undoes the turn.
    func completeTurn(_ transaction: Transaction) throws
    /// Called after a turn was undone and memory was restored, for example to retry.
    func turnWasUndone()
    /// Called after records that could not be read were set aside: what memory has of them is wrong.
    func recordsWereSetAside()
    /// Work in progress that is not visible elsewhere (a callback, a notification), one sentence each. The
    /// virtual clock does not advance before it is done.
    var unfinished: [String] { get }
    /// Called once, before the last commit.
    func stop()
}

extension ServiceProgram {
    package static var records: [RecordTable] { [] }
    package static var copyTables: [String] { [] }
    package func ready() {}
    package func completeTurn(_ transaction: Transaction) throws {}
    package func turnWasUndone() {}
    package func recordsWereSetAside() {}
    package var unfinished: [String] { [] }
    package func stop() {}

    /// Opens the store on a platform.
    /// - Throws: as ``Service/init(_:on:migrations:)``.
    package init(on platform: any Platform) throws(ServiceError) {
        let service = try Service(
            Self.name, on: platform, migrations: Self.migrations, records: Self.records)
        do { try self.init(service) } catch { throw ServiceError(anything: error) }
    }

    /// Opens the store on this machine.
    package init(_ configuration: Configuration, clock: (any WallClock)? = nil) throws(ServiceError) {
        try self.init(on: Machine(configuration, clock: clock))
    }

    /// Opens the sockets and follows; the service keeps this object alive until it stops.
    package func start() throws(ServiceError) {
        service.program = self
        service.copyTables = Self.copyTables
        service.snapshot = { [unowned self] in try snapshot($0) }
        service.forgetPlan = { [unowned self] in forgetPlan }
        service.beforeCommit.append { [unowned self] in try completeTurn($0) }
        service.onRollback.append { [unowned self] in turnWasUndone() }
        service.onStop.append { [unowned self] in stop() }
        service.unfinished.append { [unowned self] in unfinished }
        try service.start(answering: { _ in registerMethods() }, following: { _ in try follow() })
        ready()
    }
}
