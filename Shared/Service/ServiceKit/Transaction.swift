package import Bus
package import Contract
internal import JSON
package import Loop
package import Store

/// A running write of a service: its database, the events it makes, and what shall happen once it is safe.
@LoopActor package struct Transaction {
    package let database: Database
    /// On whose behalf; events made here carry it on.
    package let trace: TraceContext
    private let service: Service

    init(_ service: Service, _ database: Database, _ trace: TraceContext) {
        self.service = service
        self.database = database
        self.trace = trace
    }

    /// Appends an event to the log; it is published after the commit.
    /// - Returns: its sequence.
    @discardableResult
    package func emit<E: EventData>(_ data: E, subject: String? = nil) throws(ServiceError) -> Int64 {
        try service.append(data, trace: trace, subject: subject)
    }

    /// Runs `effect` after the commit; never, if it fails. Effects outside of the process belong here.
    package func afterCommit(_ effect: @escaping @LoopActor () -> Void) { service.addEffect(effect) }

    /// Runs `undo` when this write is undone, with its savepoint or with its turn: what it changed in memory
    /// is then as it was before. Newest first.
    package func onUndo(_ undo: @escaping @LoopActor () throws -> Void) { service.undos.append(undo) }

    /// Reads `owner` from the store again when this write is undone; once for all writes of a turn.
    package func onUndo(reloading owner: AnyObject, _ reload: @escaping @LoopActor () throws -> Void) {
        service.undos.append(reloading: owner, reload)
    }

    /// The last sequence of the log, with this write's events: what a `Written` answers.
    package func head() throws(ServiceError) -> Int64 {
        do { return try service.eventLog.head() } catch { throw ServiceError(error) }
    }

    package func written() throws(ServiceError) -> Written { Written(sequence: try head()) }
}

extension ServiceError {
    /// What a caller may know of a failure of the store.
    package init(_ error: StoreError) {
        switch error.kind {
        case .full:
            self.init(
                .storageFull, "the disk is full; nothing of this request was kept",
                remedy: "Free some space in the state directory and ask again.")
        case .damaged:
            self.init(.storageDamaged, error.message, remedy: error.remedy)
        default:
            self.init(.storageFailed, error.message, remedy: error.remedy)
        }
    }

    /// Any error a handler may throw.
    package init(anything error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as StoreError: self.init(error)
        case let error as SocketError:
            self.init(
                .unavailable, error.message,
                remedy: "Check the runtime directory, and the limit of open files (ulimit -n).")
        default:
            self.init(
                .internalError, "the service failed unexpectedly: \(type(of: error))",
                remedy: "See its log; this is a bug.")
        }
    }
}
