package import Units

/// Turns the changes of one (member, device) stream, fed in order, into closed intervals per subject and
/// marks.
///
/// A subject is *in front* while an instance of it is open, it has the focus, or it is the active tab's
/// domain. It is *in use* while it is in front and nobody is away (idle, locked, suspended). Being in front
/// outlives being away: use goes on with `active`, `unlocked`, `resume`. Several holders of one subject count
/// once.
///
/// The end of a stretch, by what ends it:
/// - a change of the stream: that change's instant. Where start and end carry the same boot id, the end is
///   start + Δboottime instead, so that setting the clock neither erases nor repeats use;
/// - a visit: five minutes after it began, if nothing else ended it by then;
/// - power lost (a change with another boot id), or a `resume` that no `suspend` announced: the last change
///   seen before;
/// - a sensor that told signs of life, and then nothing for more than ``silence``: its last sign. What
///   comes later begins anew where it comes.
///
/// Signs of life come every 30 s in use, so at most 30 s are lost, none invented.
///
/// A value: copy it to look ahead, `encoded()` to keep it, `UsageMachine(decoding:)` to go on.
package struct UsageMachine: Hashable, Sendable {
    var front: [Subject: Set<Holder>] = [:]
    var running: [Subject: Stamp] = [:]
    var focus: Subject?
    var tab: Tab?
    var away: Away = []
    var pickup: PendingPickup?
    /// The last change seen: the last instant at which the device is known to have lived.
    var last: Stamp?
    var bootID: String?
    /// The last sign of life of the session's sensor, since it began to tell them; an import never does.
    var sign: Stamp?

    /// Signs of life come every 30 s in use: after more than this without one the sensor was not there.
    package static let silence: Milliseconds = 60_000

    package init() {}

    enum Holder: Hashable, Sendable { case instance(Int64), focus, tab }

    struct Stamp: Hashable, Sendable {
        var at: Instant
        var boot: UsageChange.BootTime?
    }

    struct Tab: Hashable, Sendable {
        var host: String
        var browser: String?
        /// Of a visit: when it is over by itself.
        var until: Instant?
    }

    struct PendingPickup: Hashable, Sendable {
        var at: Instant
        /// The app already in use at the unlock: takes the pickup when no other app follows.
        var already: Subject?
    }

    struct Away: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let idle = Away(rawValue: 1)
        static let locked = Away(rawValue: 2)
        static let suspended = Away(rawValue: 4)
        /// The session's sensor is gone: whether anybody is there cannot be known, so nothing counts.
        static let blind = Away(rawValue: 8)
        /// The sensor is silent: what it told last holds again when it tells anything.
        static let silent = Away(rawValue: 16)
        static let all: Away = [.idle, .locked, .suspended, .blind, .silent]
    }
}

/// What the machine has to say after some changes.
package struct UsageOutput: Hashable, Sendable {
    /// In the order in which they ended; one subject's may touch but never overlap on one clock.
    package var uses: [Use] = []
    /// A pickup comes when its app is known.
    package var marks: [Mark] = []

    package init() {}
}

/// A use that goes on.
package struct RunningUse: Hashable, Sendable {
    package let subject: Subject
    package let start: Instant

    package init(_ subject: Subject, start: Instant) {
        self.subject = subject
        self.start = start
    }
}

extension UsageMachine {
    /// What is in use now and since when, sorted by subject.
    package var openSubjects: [RunningUse] {
        running.filter { !$0.key.isForgotten }.map { RunningUse($0.key, start: $0.value.at) }
            .sorted { $0.subject < $1.subject }
    }

    /// The instant of the last change, `nil` before the first.
    package var lastKnown: Instant? { last?.at }

    /// What closes if the stream ends here: the open uses up to the last change (or up to `end` by the
    /// wall clock, for "running now"), and a pickup that still waits for its app.
    package func closing(at end: Instant? = nil) -> UsageOutput {
        guard let last else { return UsageOutput() }
        var copy = self
        var output = UsageOutput()
        copy.endAll(at: end.map { Stamp(at: $0, boot: nil) } ?? last, &output)
        copy.settlePickup(nil, &output)
        return output
    }

    /// Feeds one change. Changes must come in the order of `UsageChange.<`, or, within one boot, of boottime.
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

    /// All of `changes`, which must be sorted.
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
