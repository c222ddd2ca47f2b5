package import Units

/// Converts the changes of one (member, device) stream, fed in order, into closed intervals per subject and
/// marks.
///
/// A subject is *in the foreground* while an instance of it is open, it has the focus, or it is the domain of
/// the active tab. It is *in use* while it is in the foreground and nobody is away (idle, locked, suspended).
/// The foreground is kept while somebody is away: use continues with `active`, `unlocked`, `resume`. Several
/// holders of one subject count once.
///
/// Where an interval ends, by what ends it:
/// - a change of the stream: at its instant. If start and end have the same boot id, the end is start +
///   Δboottime instead, so that setting the clock neither erases nor repeats use;
/// - a visit: five minutes after its start, unless something else ended it before;
/// - a power failure (a change with another boot id), or a `resume` without a `suspend`: at the last change
///   before;
/// - a sensor that sent heartbeats, and then nothing for more than ``silence``: at its last heartbeat. Later
///   changes start new intervals at their instants.
///
/// Heartbeats are sent every 30 s during use, so at most 30 s are lost and none are invented.
///
/// It is a value: copy it to compute ahead, store it with `encoded()`, and continue with
/// `UsageMachine(decoding:)`.
package struct UsageMachine: Hashable, Sendable {
    var front: [Subject: Set<Holder>] = [:]
    var running: [Subject: Stamp] = [:]
    var focus: Subject?
    var tab: Tab?
    var away: Away = []
    var pickup: PendingPickup?
    /// The last change: the last instant at which the device is known to have run.
    var last: Stamp?
    var bootID: String?
    /// The last heartbeat of the session's sensor; nil if it sends none, as in imports.
    var sign: Stamp?

    /// Heartbeats are sent every 30 s during use. After more than this time without one the sensor was not
    /// running.
    package static let silence: Milliseconds = 60_000

    /// A machine at the start of a stream: nothing is in use or known.
    package init() {}

    enum Holder: Hashable, Sendable { case instance(Int64), focus, tab }

    struct Stamp: Hashable, Sendable {
        var at: Instant
        var boot: UsageChange.BootTime?
    }

    struct Tab: Hashable, Sendable {
        var host: String
        var browser: String?
        /// For a visit: when it ends by itself.
        var until: Instant?
    }

    struct PendingPickup: Hashable, Sendable {
        var at: Instant
        /// The app already in use at the unlock. It gets the pickup if no other app follows.
        var already: Subject?
    }

    struct Away: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let idle = Away(rawValue: 1)
        static let locked = Away(rawValue: 2)
        static let suspended = Away(rawValue: 4)
        /// The session's sensor is disconnected: nobody knows whether somebody is there, so nothing counts.
        static let blind = Away(rawValue: 8)
        /// The sensor is silent: its last report is valid again as soon as it reports anything.
        static let silent = Away(rawValue: 16)
        static let all: Away = [.idle, .locked, .suspended, .blind, .silent]
    }
}

/// What the machine outputs after some changes.
package struct UsageOutput: Hashable, Sendable {
    /// In the order in which they ended. Intervals of one subject may touch, but never overlap on one clock.
    package var uses: [Use] = []
    /// A pickup is output once its app is known.
    package var marks: [Mark] = []

    /// No output.
    package init() {}
}

/// Use in progress.
package struct RunningUse: Hashable, Sendable {
    /// What is in use.
    package let subject: Subject
    /// Since when.
    package let start: Instant

    /// Use of `subject` since `start`.
    package init(_ subject: Subject, start: Instant) {
        self.subject = subject
        self.start = start
    }
}

extension UsageMachine {
    /// What is in use now, sorted by subject.
    package var openSubjects: [RunningUse] {
        running.filter { !$0.key.isForgotten }.map { RunningUse($0.key, start: $0.value.at) }
            .sorted { $0.subject < $1.subject }
    }

    /// The instant of the last change; nil before the first.
    package var lastKnown: Instant? { last?.at }

    /// What is closed if the stream ends here: the use in progress up to the last change (or up to `end` on
    /// the wall clock, for "running now"), and a pickup still without an app.
    package func closing(at end: Instant? = nil) -> UsageOutput {
        guard let last else { return UsageOutput() }
        var copy = self
        var output = UsageOutput()
        copy.endAll(at: end.map { Stamp(at: $0, boot: nil) } ?? last, &output)
        copy.settlePickup(nil, &output)
        return output
    }

    /// Applies one change. Changes must be in the order of `UsageChange.<`, or, within one boot, of boottime.
    package mutating func apply(_ change: UsageChange, _ output: inout UsageOutput) {
        let stamp = Stamp(at: change.at, boot: change.boot)
        if let known = bootID, let boot = change.boot, boot.id != known {
            forgetEverything(at: last ?? stamp, &output)
        }
        endVisit(before: stamp, &output)
        if let sign, Self.end(of: sign, at: stamp) - sign.at > Self.silence {
            leave(.silent, sign, &output)
        }
        if change.kind.isFromSession { comeBack(.blind, stamp, &output) }
        if change.kind.isSignOfLife { comeBack(.silent, stamp, &output) }
        handle(change.kind, stamp, &output)
        if change.kind.isSignOfLife, sign != nil || change.kind == .alive { sign = stamp }
        last = stamp
        if let boot = change.boot { bootID = boot.id }
    }

    /// Applies `changes`, which must be sorted.
    package mutating func apply(_ changes: some Sequence<UsageChange>) -> UsageOutput {
        var output = UsageOutput()
        for change in changes { apply(change, &output) }
        return output
    }

    private mutating func handle(_ kind: UsageChange.Kind, _ stamp: Stamp, _ output: inout UsageOutput) {
        switch kind {
        case .opened(let subject, let instance):
            hold(.instance(instance), subject.canonical, stamp, &output)
        case .closed(let subject, let instance):
            release(.instance(instance), subject.canonical, stamp, &output)
        case .reset: forgetEverything(at: stamp, &output)
        case .focus(let focus): moveFocus(to: focus, stamp, &output)
        case .idle: leave(.idle, stamp, &output)
        case .active: comeBack(.idle, stamp, &output)
        case .locked: lock(stamp, &output)
        case .unlocked: unlock(stamp, &output)
        case .suspend: leave(.suspended, stamp, &output)
        case .resume: resume(stamp, &output)
        case .alive: break
        case .sensorLost: loseSensor(at: stamp, &output)
        case .domain(let host, let browser):
            moveTab(to: host.map { Tab(host: $0, browser: browser).canonical }, stamp, &output)
        case .visit(let host): visit(Subject.domain(host).canonical.id, stamp, &output)
        case .notification(let subject):
            guard !subject.isForgotten else { return }
            output.marks.append(Mark(.notification, at: stamp.at, subject: subject))
        }
    }
}
