import Contract
import Foundation
import JSON
import Testing

/// The bytes of every message, as they were once recorded: each line still is read, and comes out as it went
/// in. `golden-messages.txt` only grows: a message that gets a field gets one more line, by a run with
/// SCREENTIME_RECORD_GOLDEN=1.
@Suite struct GoldenMessagesTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("golden-messages.txt")

    /// A name as in docs/contract/schemas, and the message.
    private static func lines() throws -> [(name: String, bytes: [UInt8])] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), Array(parts[1].utf8))
        }
    }

    @Test func whatWasRecordedComesOutAsItWentIn() throws {
        var readers = Self.readers()
        let lines = try Self.lines()
        for (name, bytes) in lines {
            let read = try #require(readers[name], "'\(name)' is no message any more")
            for (came, written) in try read(bytes) {
                #expect(written == came, "\(name): \(String(decoding: written, as: UTF8.self))")
            }
        }
        for (name, _) in lines { readers[name] = nil }
        #expect(readers.isEmpty, "not recorded: \(readers.keys.sorted())")
    }

    @Test func everyFieldIsRecorded() throws {
        let recorded = Dictionary(grouping: try Self.lines(), by: \.name)
        var missing: [String] = []
        for (name, _, sample) in try SchemaTests.samples() {
            let paths = try (recorded[name] ?? []).reduce(into: Set<String>()) {
                $0.formUnion(Self.paths(try JSONValue.decode($1.bytes)))
            }
            guard !Self.paths(sample).isSubset(of: paths) else { continue }
            missing.append("\(name) \(String(decoding: sample.encoded(), as: UTF8.self))\n")
        }
        if getenv("SCREENTIME_RECORD_GOLDEN") != nil {
            let kept = try String(contentsOf: Self.file, encoding: .utf8)
            try (kept + missing.joined()).write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let remedy = "SCREENTIME_RECORD_GOLDEN=1 scripts/test.sh --filter GoldenMessages"
        #expect(missing.isEmpty, "run \(remedy), and commit what it adds")
    }

    /// `a.b` for each member, at every depth; of lists the members of the items.
    private static func paths(_ value: JSONValue, _ prefix: String = "") -> Set<String> {
        var found: Set<String> = []
        for (key, member) in value.objectValue ?? [] {
            found.insert(prefix + key)
            found.formUnion(paths(member, prefix + key + "."))
        }
        for item in value.arrayValue ?? [] { found.formUnion(paths(item, prefix)) }
        return found
    }

    /// Reads a message, and gives its parts as they came and as they are written.
    private typealias Reader = ([UInt8]) throws -> [(came: [UInt8], written: [UInt8])]

    private static func reader<R: Record>(_ type: R.Type) -> Reader {
        { bytes in [(bytes, try R.decodeStrictly(bytes).encoded())] }
    }

    private static func readers() -> [String: Reader] {
        var readers = [
            "refusal.answer": reader(Answer.self), "sync.head": reader(SyncHead.self),
            "trace.span": reader(Span.self),
        ]
        func add<M: Call>(_ method: M.Type) {
            readers[M.name + ".request"] = { bytes in
                let params = try Request.decode(bytes).params?.bytes ?? []
                return try reader(Request.self)(bytes) + reader(M.Params.self)(params)
            }
            readers[M.name + ".answer"] = { bytes in
                let result = try Answer.decode(bytes).result?.bytes ?? []
                return try reader(Answer.self)(bytes) + reader(M.Result.self)(result)
            }
        }
        for method in Registry.calls { add(method) }
        func add<E: EventData>(_ event: E.Type) { readers[E.type + ".event"] = reader(Event<E>.self) }
        for event in Registry.events { add(event) }
        return readers
    }
}
