package import Bus
package import Contract
internal import JSON
package import Loop
package import Store

/// A running write of a service: its database, the events it emits, and its effects after the commit.
@LoopActor package struct Transaction {
    /// Writes go through its statements.
    package let database: Database
    /// The trace of the request; events emitted here continue it.
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

    /// Runs `effect` after the commit, or never if that fails. Use it for effects outside the process.
    package func afterCommit(_ effect: @escaping @LoopActor () -> Void) { service.addEffect(effect) }

    /// Runs `undo` when this write is undone with its savepoint or turn, to restore what it changed in
    /// memory. Steps run newest first.
    package func onUndo(_ undo: @escaping @LoopActor () throws -> Void) { service.undos.append(undo) }

    /// Reloads `owner` from the store when this write is undone, once for all writes of a turn.
    package func onUndo(reloading owner: AnyObject, _ reload: @escaping @LoopActor () throws -> Void) {
        service.undos.append(reloading: owner, reload)
    }

    /// The sequence of the last event, counting those of this write.
    package func head() throws(ServiceError) -> Int64 {
        do { return try service.eventLog.head() } catch { throw ServiceError(error) }
    }

    /// The answer `Written` with ``head()``.
    package func written() throws(ServiceError) -> Written { Written(sequence: try head()) }
}

extension ServiceError {
    /// The error for a caller after a failure of the store.
    package init(_ error: StoreError) {
        switch error.kind {
        case .full:
            self.init(
                .storageFull, "the disk is full; this request was not stored",
                remedy: "Free some space in the state directory and try again.")
        case .damaged:
            self.init(.storageDamaged, error.message, remedy: error.remedy)
        default:
            self.init(.storageFailed, error.message, remedy: error.remedy)
        }
    }

    /// The error for a caller after any error of a handler.
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
