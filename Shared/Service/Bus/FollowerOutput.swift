package import Contract
package import Loop

/// One event as the log or the live stream gave it.
package struct ReceivedEvent: Sendable {
    package var event: AnyEvent
    package var sequence: Int64 { event.head.sequence.value }
    package var type: String { event.head.type }
    package var run: String { event.head.run ?? LogRun.before }
}

/// Where a follower stands in a source's log: committed by its owner together with the effects.
package struct Cursor: Equatable, Sendable {
    package var epoch: String
    package var sequence: Int64
    /// The run of the owner that made the event at `sequence`; empty: not known, and not compared.
    package var run: String
    /// The present state is being read and is not whole: a restart reads it from its beginning.
    package var isRebuilding: Bool

    package init(epoch: String, sequence: Int64, run: String = "", isRebuilding: Bool = false) {
        self.epoch = epoch
        self.sequence = sequence
        self.run = run
        self.isRebuilding = isRebuilding
    }
}

extension EventsRuns.Result {
    /// After the last event of the log, with the run that made it.
    package var end: Cursor { Cursor(epoch: epoch, sequence: head, run: runs.last?.id ?? "") }
}

/// The log is no longer the one that was read: its owner was restored from an older copy, or began with
/// nothing.
package struct ForkedLog: Sendable {
    /// Where the follower stands, in the log as it was.
    package var cursor: Cursor
    /// The log as it is.
    package var epoch: String
    package var head: Int64
    package var runs: [LogRun]
}

/// How a follower goes on when the log parted from what it has read.
package enum AfterFork: Equatable, Sendable {
    /// What was built from it is built again, from the owner's present state.
    case rebuild
    /// With the events after this cursor.
    case goOn(Cursor)
    /// It cannot be said now: the owner pauses and comes back to it.
    case later
    case stop
}

/// What a follower hands to its owner. All calls come on the reactor's thread.
@LoopActor package struct FollowerOutput {
    /// Events in order, without gap and without repeat. The owner commits their effects and the cursor
    /// together.
    package var deliver: @LoopActor ([ReceivedEvent], Cursor) -> Void
    /// The present state comes next, as the events of a snapshot: forget what was built from the log. Nil:
    /// events are acted upon, so the present state is never handed on as if it happened now.
    package var reset: (@LoopActor () -> Void)?
    /// Without a `reset`: the source deleted these events before they were read; what comes is after them.
    package var lost: @LoopActor (ClosedRange<Int64>) -> Void
    /// The source answers with this error, and is asked again; nil: it goes on.
    package var stalled: @LoopActor (ServiceError?) -> Void
    /// Everything up to the source's head was delivered, and events come as they are published: after each
    /// connection, and after each gap.
    package var live: @LoopActor () -> Void
    /// The cursor is not in this log; the answer says how to go on.
    package var forked: @LoopActor (ForkedLog) -> AfterFork
    /// Something that could not be taken; counted and logged by the owner.
    package var refused: @LoopActor (RefusalReason, String) -> Void

    package init(
        deliver: @escaping @LoopActor ([ReceivedEvent], Cursor) -> Void,
        reset: (@LoopActor () -> Void)?,
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
