import Contract
import JSON
import ServiceKit
import Units

/// Spans in the formats that other tools read.
enum TraceExport {
    /// OTLP/JSON (opentelemetry.io, "OTLP specification"): one ResourceSpans per service; 64-bit numbers are
    /// strings.
    static func otlp(_ spans: [Span]) -> [UInt8] {
        let byService = Dictionary(grouping: spans, by: \.service).sorted { $0.key < $1.key }
        let resources = byService.map { service, spans -> JSONValue in
            [
                "resource": ["attributes": [attribute("service.name", .string(service))]],
                "scopeSpans": [
                    [
                        "scope": ["name": "screentime", "version": .string(Version.program)],
                        "spans": .array(spans.map(otlp)),
                    ]
                ],
            ]
        }
        let document: JSONValue = ["resourceSpans": .array(resources)]
        return document.encoded()
    }

    private static func otlp(_ span: Span) -> JSONValue {
        // Both are what a process says; the sum of their halves of 64 bits is still a number.
        let startNs = min(max(0, span.start.milliseconds), Int64.max / 2_000_000) * 1_000_000
        let endNs = startNs + min(max(0, span.durationUs), Int64.max / 2_000) * 1_000
        var attributes: [JSONValue] = []
        if let subject = span.subject { attributes.append(attribute("screentime.subject", .string(subject))) }
        for number in span.numbers ?? [] {
            attributes.append([
                "key": .string("screentime." + number.name),
                "value": ["intValue": .string(String(number.count))],
            ])
        }
        var members: [(key: String, value: JSONValue)] = [
            ("traceId", .string(span.traceID)), ("spanId", .string(span.spanID)),
        ]
        if let parent = span.parentID { members.append(("parentSpanId", .string(parent))) }
        members += [
            ("name", .string(span.name)), ("kind", .integer(kind(span.kind))),
            ("startTimeUnixNano", .string(String(startNs))),
            ("endTimeUnixNano", .string(String(endNs))),
            ("attributes", .array(attributes)),
            ("status", span.outcome == "ok" ? ["code": 1] : ["code": 2, "message": .string(span.outcome)]),
        ]
        return .object(members)
    }

    private static func attribute(_ key: String, _ value: JSONValue) -> JSONValue {
        ["key": .string(key), "value": ["stringValue": value]]
    }

    /// SpanKind of opentelemetry/proto/trace/v1/trace.proto.
    private static func kind(_ kind: SpanKind) -> Int64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    /// Trace Event Format: a process per service, a thread per trace, and an arrow from each cause to its
    /// effect.
    static func chrome(_ traces: [[Span]]) -> [UInt8] {
        let services = Set(traces.joined().map(\.service)).sorted()
        let pids = Dictionary(uniqueKeysWithValues: services.enumerated().map { ($1, Int64($0 + 1)) })
        var events = services.map { service -> JSONValue in
            [
                "name": "process_name", "ph": "M", "pid": .integer(pids[service] ?? 0), "tid": 0,
                "args": ["name": .string(service)],
            ]
        }
        for (index, spans) in traces.enumerated() {
            let known = Dictionary(spans.map { ($0.spanID, $0) }) { first, _ in first }
            for span in spans {
                events.append(complete(span, pids[span.service] ?? 0, Int64(index + 1)))
                guard let cause = span.parentID.flatMap({ known[$0] }), cause.service != span.service else {
                    continue
                }
                events.append(flow("s", cause, span, pids[cause.service] ?? 0, Int64(index + 1)))
                events.append(flow("f", span, span, pids[span.service] ?? 0, Int64(index + 1)))
            }
        }
        let document: JSONValue = ["displayTimeUnit": "ms", "traceEvents": .array(events)]
        return document.encoded()
    }

    private static func complete(_ span: Span, _ pid: Int64, _ thread: Int64) -> JSONValue {
        var arguments: [(key: String, value: JSONValue)] = [
            ("trace_id", .string(span.traceID)), ("outcome", .string(span.outcome)),
        ]
        if let subject = span.subject { arguments.append(("subject", .string(subject))) }
        for number in span.numbers ?? [] { arguments.append((number.name, .integer(number.count))) }
        return [
            "name": .string(span.name), "cat": .string(span.kind.rawValue), "ph": "X",
            "ts": .integer(span.start.milliseconds * 1_000), "dur": .integer(max(1, span.durationUs)),
            "pid": .integer(pid), "tid": .integer(thread), "args": .object(arguments),
        ]
    }

    private static func flow(
        _ phase: String, _ at: Span, _ effect: Span, _ pid: Int64, _ thread: Int64
    ) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("name", "cause"), ("cat", "cause"), ("ph", .string(phase)), ("id", .string(effect.spanID)),
            ("ts", .integer(at.start.milliseconds * 1_000)), ("pid", .integer(pid)),
            ("tid", .integer(thread)),
        ]
        if phase == "f" { members.append(("bp", "e")) }
        return .object(members)
    }
}
