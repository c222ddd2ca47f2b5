package import Bus
package import Contract
package import JSON
package import Units

/// One request from a host to a program.
package struct HostedRequest {
    /// Name of the ``HostRequest``.
    package var method: String
    /// Its parameters.
    package var params: RawJSON
    /// Its name in figures and events: a callback's name, or the method.
    package var callback: String
    /// Time until it must be answered, including waiting for its turn; also bounded by the budget.
    package var deadline: Milliseconds
    /// The span that caused it.
    package var trace: TraceContext?
    /// True: the caller has its own delay after a failure.
    package var ignoresRestartDelay = false

    package init(
        method: String, params: RawJSON, callback: String? = nil, deadline: Milliseconds,
        trace: TraceContext? = nil, ignoresRestartDelay: Bool = false
    ) {
        self.method = method
        self.params = params
        self.callback = callback ?? method
        self.deadline = deadline
        self.trace = trace
        self.ignoresRestartDelay = ignoresRestartDelay
    }
}

/// Why a program did not answer properly.
package struct HostedFailure: Error, Equatable, Sendable {
    /// Kinds of failures.
    package enum Kind: Sendable, Equatable {
        /// It answered with an error.
        case refused
        /// Its process exited or was killed.
        case ended
        /// It was killed because of its budget.
        case overBudget
        /// It was not started: starting failed, or must wait.
        case notStarted
        /// It succeeded, but could not note that on the disk.
        case unnoted
        /// It did not answer before the caller's deadline; it may still be running.
        case late
    }
    /// The kind of failure.
    package var kind: Kind
    /// The error for the caller.
    package var error: ServiceError
    /// A service did not run to answer the program.
    package var missedService = false

    /// Whether its process ended, for whatever reason.
    package var isEnd: Bool { kind == .ended || kind == .overBudget }

    /// Whether the program itself failed, and not the host, its disk or a service.
    package var isOfProgram: Bool {
        switch kind {
        case .notStarted, .unnoted: false
        case .refused, .ended, .overBudget, .late: !missedService
        }
    }

    /// The reason as a sentence.
    package var reason: String {
        kind == .refused ? "\(error.name.rawValue): \(error.message)" : error.message
    }
}
