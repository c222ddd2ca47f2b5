package import JSON
package import Units

/// Whether limits act on a desktop, as its agent found out with a program of its own.
package enum EnforcementState: String, NameEnum {
    case enforcing
    case notEnforcing = "not_enforcing"
}

/// The steps of a check, in their order.
package enum EnforcementStep: String, NameEnum {
    /// The desktop is one where shields can act.
    case desktop
    /// The program runs, and the window manager has its window.
    case window
    /// Its limit is stored.
    case limit
    /// Its window is covered.
    case cover
    /// Its process stands still.
    case freeze
    /// Its limit is removed.
    case removal
    /// Its process runs again.
    case thaw
    /// Its window is not covered any more.
    case uncover
    /// The program has ended.
    case end
}

/// One step of a check.
@Record
package struct EnforcementStepReport: Record, Equatable {
    /// Which.
    package var step: EnforcementStep = .desktop
    /// How long it took in milliseconds.
    package var took: Milliseconds = 0
    /// Why it failed, for a sentence that begins with "because"; absent: it did not.
    package var problem: String?
}

/// What the last check on a desktop showed.
@Record
package struct EnforcementResult: Record, Equatable {
    /// Name of the agent: host and display.
    package var agent: String = ""
    /// Whether limits act.
    package var state: EnforcementState = .notEnforcing
    /// Why they do not, for a sentence that begins with "because"; absent: they do.
    package var reason: String?
    /// When it was recorded, UTC milliseconds.
    package var checked: Instant = 0
    /// Since when it is so for the same reason, UTC milliseconds.
    package var since: Instant = 0
}

/// Lets the agent prove that a limit acts: it starts a program of its own, shields it, waits until that is
/// covered and stands still, and takes the shield away again.
///
/// The answer comes at the end, after at most a minute. A check that runs already is joined.
@Method("enforcement.check", ofAgent: AgentName.desktopAgent, .read, for: .person)
package enum EnforcementCheck: AgentMethod {
    /// No parameters.
    package typealias Params = Nothing

    /// What happened.
    @Record("enforcement.check.result")
    package struct Result: Record, Equatable {
        /// In order, up to the one that failed, and those that tidied up.
        package var steps: [EnforcementStepReport] = []
        /// Whether limits act.
        package var state: EnforcementState = .notEnforcing
        /// Why they do not, for a sentence that begins with "because"; absent: they do.
        package var reason: String?
        /// Whether shield-service has the result; if not, the agent sends it later.
        package var recorded: Bool = false
    }
}

/// Records what a check showed; replaces the record of the agent's last one.
@Method("enforcement.record", of: .shield, .write, for: .person)
package enum EnforcementRecord: Method {
    /// What it showed.
    @Record("enforcement.record.params")
    package struct Params: Record {
        /// Name of the agent.
        package var agent: String = ""
        /// Whether limits act.
        package var state: EnforcementState = .notEnforcing
        /// Why they do not: 1 to 1,000 bytes, without invisible characters; absent: they do.
        package var reason: String?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Lists the results of the last checks.
@Method("enforcement.list", of: .shield, .read, for: .person)
package enum EnforcementList: Method {
    /// Filter by agent.
    @Record("enforcement.list.params")
    package struct Params: Record {
        /// Only of this agent.
        package var agent: String?
    }

    /// The results.
    @Record("enforcement.list.result")
    package struct Result: Record {
        /// One for each agent, the latest first.
        package var results: [EnforcementResult] = []
    }
}

/// Limits act on a desktop that did not enforce them, or the other way round, or the reason is another.
@Event("enforcement.changed", of: .shield)
package struct EnforcementChanged: EventData {
    /// What the check showed.
    package var result: EnforcementResult = EnforcementResult()
}
