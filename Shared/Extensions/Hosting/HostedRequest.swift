package import Bus
package import Contract
package import JSON
package import Units

/// One request of a host to its program.
package struct HostedRequest {
    package var method: String
    package var params: RawJSON
    /// What it is called in figures and events: a callback's name, or the method.
    package var callback: String
    /// Milliseconds until it must be answered, waiting for its turn included; the budget bounds it, too.
    package var deadline: Milliseconds
    /// The span on whose behalf it is made.
    package var trace: TraceContext?
    /// True: the caller waits by a rule of its own after a failure.
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

/// Why a program did not answer as it should.
package struct HostedFailure: Error, Equatable, Sendable {
    package enum Kind: Sendable, Equatable {
        /// It answered with an error.
        case refused
        /// Its process ended, or was ended.
        case ended
        /// It was ended because of its budget.
        case overBudget
        /// It never began: it could not be started, or not yet again.
        case notStarted
        /// It did its part, and could not note that on the disk.
        case unnoted
        /// It did not answer in the time of whoever asked; it may still be at it.
        case late
    }
    package var kind: Kind
    package var error: ServiceError
    /// A service was not there to answer the program.
    package var missedService = false

    /// Whether the program failed. What the host, its disk or a service could not do says nothing of it.
    package var isOfProgram: Bool {
        switch kind {
        case .notStarted, .unnoted: false
        case .refused, .ended, .overBudget, .late: !missedService
        }
    }

    /// In a sentence.
    package var reason: String {
        kind == .refused ? "\(error.name.rawValue): \(error.message)" : error.message
    }
}
