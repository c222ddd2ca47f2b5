package import Contract
import Glibc
internal import JSON
package import Loop
import Time
package import Units

/// The spans of this process: the last ones are kept in a ring, each is handed to whoever listens.
@LoopActor package final class Tracer {
    private let service: String
    private let keptMax: Int
    private var ring: [FinishedSpan] = []
    private var nextIndex = 0
    /// Called with each finished span while somebody listens; nil: nobody does.
    package var listener: (@LoopActor (Span) -> Void)?

    package init(service: String, keptMax: Int = Limits.spansKeptMax) {
        self.service = service
        self.keptMax = keptMax
    }

    private struct FinishedSpan {
        var started: StartedSpan
        var endNs: Int64
        var outcome: String
        var numbers: [Counter]
        var subject: String?
    }

    /// Opens a span under `parent`, or a new trace without one.
    package func start(_ name: String, _ kind: SpanKind, parent: TraceContext?) -> StartedSpan {
        StartedSpan(
            context: parent?.child() ?? .root(), parent: parent?.span, name: name, kind: kind,
            start: WallTime.now, startNs: MonotonicClock.nowNs)
    }

    /// Ends a span. `subject` names what it was about and must not be private.
    package func end(
        _ span: StartedSpan, outcome: String = "ok", subject: String? = nil, numbers: [Counter] = []
    ) {
        let finished = FinishedSpan(
            started: span, endNs: MonotonicClock.nowNs, outcome: outcome, numbers: numbers, subject: subject)
        if ring.count < keptMax {
            ring.append(finished)
        } else {
            ring[nextIndex] = finished
        }
        nextIndex = (nextIndex + 1) % keptMax
        listener?(record(finished))
    }

    /// A span that begins and ends now.
    @discardableResult
    package func mark(
        _ name: String, _ kind: SpanKind, parent: TraceContext?, outcome: String = "ok",
        subject: String? = nil, numbers: [Counter] = []
    ) -> TraceContext {
        let span = start(name, kind, parent: parent)
        end(span, outcome: outcome, subject: subject, numbers: numbers)
        return span.context
    }

    /// Forgets all spans: a subject in one of them may be what a person wants forgotten.
    package func clear() {
        ring = []
        nextIndex = 0
    }

    /// The newest `limit` spans, oldest first, of one trace or all.
    package func spans(traceID: String?, limit: Int) -> [Span] {
        let ordered = ring.count < keptMax ? ring[...] : ring[nextIndex...] + ring[..<nextIndex]
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

/// An open span.
package struct StartedSpan: Sendable {
    package var context: TraceContext
    package var parent: UInt64?
    package var name: String
    package var kind: SpanKind
    package var start: Instant
    package var startNs: Int64
}
