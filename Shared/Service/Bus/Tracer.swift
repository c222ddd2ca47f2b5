package import Contract
import Glibc
internal import JSON
package import Loop
import Time
package import Units

/// The spans of this process. The newest are kept in a ring buffer, and each is passed to `listener`.
@LoopActor package final class Tracer {
    private let service: String
    private static let keptMax = Limits.spansKeptMax
    private var ring: [FinishedSpan] = []
    private var nextIndex = 0
    /// Called with each finished span; nil while nobody subscribes.
    package var listener: (@LoopActor (Span) -> Void)?

    /// Keeps the newest spans of the service or agent with this name.
    package init(service: String) { self.service = service }

    private struct FinishedSpan {
        var started: StartedSpan
        var endNs: Int64
        var outcome: String
        var numbers: [Counter]
        var subject: String?
    }

    /// Opens a span under `parent`, or a new trace if that is nil.
    package func start(_ name: String, _ kind: SpanKind, parent: TraceContext?) -> StartedSpan {
        StartedSpan(
            context: parent?.child() ?? .root(), parent: parent?.span, name: name, kind: kind,
            start: WallTime.now, startNs: MonotonicClock.nowNs)
    }

    /// Ends a span. `subject` names its object and must not be private.
    package func end(
        _ span: StartedSpan, outcome: String = "ok", subject: String? = nil, numbers: [Counter] = []
    ) {
        let finished = FinishedSpan(
            started: span, endNs: MonotonicClock.nowNs, outcome: outcome, numbers: numbers, subject: subject)
        if ring.count < Self.keptMax {
            ring.append(finished)
        } else {
            ring[nextIndex] = finished
        }
        nextIndex = (nextIndex + 1) % Self.keptMax
        listener?(record(finished))
    }

    /// Records a span without duration.
    @discardableResult
    package func mark(
        _ name: String, _ kind: SpanKind, parent: TraceContext?, outcome: String = "ok",
        subject: String? = nil, numbers: [Counter] = []
    ) -> TraceContext {
        let span = start(name, kind, parent: parent)
        end(span, outcome: outcome, subject: subject, numbers: numbers)
        return span.context
    }

    /// Drops all spans: their subjects may name what a person asked to forget.
    package func clear() {
        ring = []
        nextIndex = 0
    }

    /// The newest `limit` spans of one trace, or of all if nil; oldest first.
    package func spans(traceID: String?, limit: Int) -> [Span] {
        let ordered = ring.count < Self.keptMax ? ring[...] : ring[nextIndex...] + ring[..<nextIndex]
        guard let traceID else { return ordered.suffix(limit).map(record) }
        return Array(ordered.filter { $0.started.context.traceID == traceID }.suffix(limit)).map(record)
    }

    private func record(_ finished: FinishedSpan) -> Span {
        let started = finished.started
        return Span(
            traceID: started.context.traceID, spanID: started.context.spanID,
            parentID: started.parent.map(TraceContext.hexText), service: service, name: started.name,
            kind: started.kind, start: started.start,
            durationUs: (finished.endNs - started.startNs) / 1_000, outcome: finished.outcome,
            numbers: finished.numbers.isEmpty ? nil : finished.numbers, subject: finished.subject)
    }
}

/// A span that has not ended.
package struct StartedSpan: Sendable {
    /// Its trace and own id.
    package var context: TraceContext
    /// Id of the parent span; nil for a root.
    package var parent: UInt64?
    /// Name, for example of the method.
    package var name: String
    /// Client, server, producer, consumer or internal.
    package var kind: SpanKind
    /// Wall-clock start.
    package var start: Instant
    /// Start on the monotonic clock, in nanoseconds.
    package var startNs: Int64
}

extension TraceContext {
    /// A new trace, with a root span.
    @LoopActor package static func root() -> TraceContext {
        TraceContext(traceHigh: freshID(), traceLow: freshID(), span: freshID())
    }

    /// The same trace with a new span id.
    @LoopActor package func child() -> TraceContext {
        TraceContext(traceHigh: traceHigh, traceLow: traceLow, span: freshID())
    }
}

@LoopActor private var generator = IDGenerator()

/// Makes all ids of this process from a seed, for simulations.
@LoopActor package func seedIDs(_ seed: UInt64) { generator = IDGenerator(seed: seed) }

/// A random id; two of them are equal with a probability of 1 in 2^64.
@LoopActor package func freshID() -> UInt64 { generator.next() }
