package import Contract
package import Loop

/// One event as read from the log or the live stream.
package struct ReceivedEvent: Sendable {
    /// The decoded event with its head.
    package var event: AnyEvent
    /// Position in the source's log, starting at 1, without gaps.
    package var sequence: Int64 { event.head.sequence.value }
    /// Its type, as `activity.intervalDidStart`.
    package var type: String { event.head.type }
    /// Run of the owner that appended it; `LogRun.before` if it was appended before runs existed.
    package var run: String { event.head.run ?? LogRun.before }
}

/// A follower's position in a source's log. The owner commits it together with the effects of the events.
package struct Cursor: Equatable, Sendable {
    /// Epoch of the log; empty if nothing was read yet.
    package var epoch: String
    /// Sequence of the last event that took effect; 0 if none.
    package var sequence: Int64
    /// Run of the owner that appended the event at `sequence`; if empty it is not known and not compared.
    package var run: String
    /// A snapshot is being read and is not complete: after a restart it is read from its first page.
    package var isRebuilding: Bool

    /// A cursor after `sequence` of the log `epoch`; the defaults mean an unknown run and no snapshot.
    package init(epoch: String, sequence: Int64, run: String = "", isRebuilding: Bool = false) {
        self.epoch = epoch
        self.sequence = sequence
        self.run = run
        self.isRebuilding = isRebuilding
    }
}

extension EventsRuns.Result {
    /// The cursor after the last event of the log.
    package var end: Cursor { Cursor(epoch: epoch, sequence: head, run: runs.last?.id ?? "") }

    /// Whether the log is the one that was read up to the cursor, or a continuation of it. Where the owner
    /// has forgotten the run of that time, it is taken for that.
    package func continues(_ cursor: Cursor) -> Bool {
        guard epoch == cursor.epoch, head >= cursor.sequence else { return false }
        guard cursor.sequence > 0, !cursor.run.isEmpty,
            let run = runs.last(where: { $0.first <= cursor.sequence })
        else { return true }
        return run.id == cursor.run
    }
}

/// The log is not the one that was read before: its owner was restored from an older copy, or started with an
/// empty store.
package struct ForkedLog: Sendable {
    /// The follower's position in the former log.
    package var cursor: Cursor
    /// Epoch of the present log.
    package var epoch: String
    /// Sequence of the present log's last event.
    package var head: Int64
    /// Runs of the present log, oldest first.
    package var runs: [LogRun]

    package init(cursor: Cursor, epoch: String, head: Int64, runs: [LogRun]) {
        self.cursor = cursor
        self.epoch = epoch
        self.head = head
        self.runs = runs
    }
}

/// How a follower continues after a fork of the log.
package enum AfterFork: Equatable, Sendable {
    /// Discard what was built from the events and read a snapshot of the present state.
    case rebuild
    /// Continue with the events after this cursor.
    case resume(Cursor)
    /// It cannot be decided now: the owner pauses the follower and resumes it later.
    case postpone
    case stop
}

/// Callbacks from a follower to its owner. All run on the reactor's thread.
@LoopActor package struct FollowerOutput {
    /// Delivers events in order, without gaps or repeats. The owner commits their effects and the cursor in
    /// one transaction.
    package var deliver: @LoopActor ([ReceivedEvent], Cursor) -> Void
    /// A snapshot of this log follows, as events: discard what was built from the log. If nil, events trigger
    /// actions, so a snapshot is never delivered.
    package var reset: (@LoopActor (EventsRuns.Result) -> Void)?
    /// Without `reset`: the source deleted these events before they were read; delivery continues after them.
    package var lost: @LoopActor (ClosedRange<Int64>) -> Void
    /// The source answers with this error and is retried; nil when it works again.
    package var stalled: @LoopActor (ServiceError?) -> Void
    /// Everything up to the source's head was delivered, and events come as they are published: after each
    /// connection, and after each gap.
    package var live: @LoopActor () -> Void
    /// The cursor does not belong to this log; the result decides how to continue.
    package var forked: @LoopActor (ForkedLog) -> AfterFork
    /// A malformed event or message; the owner counts and logs it.
    package var refused: @LoopActor (RefusalReason, String) -> Void

    /// All callbacks; without `reset` the owner acts on events and keeps no copy.
    package init(
        deliver: @escaping @LoopActor ([ReceivedEvent], Cursor) -> Void,
        reset: (@LoopActor (EventsRuns.Result) -> Void)?,
        lost: @escaping @LoopActor (ClosedRange<Int64>) -> Void = { _ in },
        forked: @escaping @LoopActor (ForkedLog) -> AfterFork,
        stalled: @escaping @LoopActor (ServiceError?) -> Void = { _ in },
        live: @escaping @LoopActor () -> Void = {},
        refused: @escaping @LoopActor (RefusalReason, String) -> Void
    ) {
        self.deliver = deliver
        self.reset = reset
        self.lost = lost
        self.stalled = stalled
        self.live = live
        self.forked = forked
        self.refused = refused
    }
}
