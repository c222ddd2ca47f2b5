import CommandKit
import Contract
import Units

/// Traces as text: children under what caused them, and the time that passed between where a timer lay.
enum TraceTree {
    /// Milliseconds between a cause and its effect from which on the wait is shown.
    private static let gap: Milliseconds = 50

    /// The lines of one trace; `spans` is sorted by start.
    static func lines(_ spans: [Span]) -> [ConsoleText] {
        guard let first = spans.first else { return [] }
        let end = spans.map { $0.start - first.start + Milliseconds($0.durationUs / 1_000) }.max() ?? 0
        let services = Set(spans.map(\.service)).count
        let title =
            "trace \(first.traceID)  \(LocalTime.text(first.start))  \(counted(spans.count, "span")), "
            + "\(counted(services, "service")), \(LocalTime.duration(end))"
        var lines = [Console.styled(title, .bold)]
        let known = Set(spans.map(\.spanID))
        let children = Dictionary(grouping: spans) { span in
            span.parentID.flatMap { known.contains($0) && $0 != span.spanID ? $0 : nil } ?? ""
        }
        var shown: Set<String> = []
        // A span that names itself among its ancestors is reached from no root; it is shown as one.
        for span in (children[""] ?? []) + spans {
            add(span, after: nil, depth: 1, children, origin: first.start, &shown, &lines)
        }
        return lines + [""]
    }

    private static func add(
        _ span: Span, after parent: Span?, depth: Int, _ children: [String: [Span]], origin: Instant,
        _ shown: inout Set<String>, _ lines: inout [ConsoleText]
    ) {
        guard shown.insert(span.spanID).inserted else { return }
        // Deeper than any real chain; a crafted one must not exhaust the stack.
        guard depth < 200 else { return }
        let indent = String(repeating: "  ", count: depth)
        if let parent {
            let waited = span.start - parent.start - Milliseconds(parent.durationUs / 1_000)
            if waited >= gap {
                let wait = Console.styled("… \(LocalTime.duration(waited)) later", .faint)
                lines.append("\(indent)\(wait)")
            }
        }
        lines.append("\(indent)\(words(span))  +\(LocalTime.duration(span.start - origin))")
        for child in children[span.spanID] ?? [] {
            add(child, after: span, depth: depth + 1, children, origin: origin, &shown, &lines)
        }
    }

    /// One span on a line of its own.
    static func line(_ span: Span) -> ConsoleText {
        "\(LocalTime.clock(span.start))  \(span.traceID.prefix(8))  \(words(span))"
    }

    private static func words(_ span: Span) -> ConsoleText {
        let arrow =
            switch span.kind {
            case .client: "→ "
            case .producer: "» "
            case .consumer: "« "
            case .server, .internal: ""
            }
        let took = LocalTime.duration(microseconds: span.durationUs)
        var parts: [ConsoleText] = ["\(span.service)", "\(arrow)\(span.name)", "\(took)"]
        if span.outcome != "ok" { parts.append(Console.styled(span.outcome, .red)) }
        if let subject = span.subject { parts.append("[\(subject)]") }
        for number in span.numbers ?? [] { parts.append("\(number.name)=\(number.count)") }
        return parts.joined(separator: "  ")
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
