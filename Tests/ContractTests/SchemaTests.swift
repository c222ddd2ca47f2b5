import Contract
import ContractDocument
import Foundation
import JSON
import Testing

/// The schemas match the code: what they allow is read, and is written unchanged.
@Suite struct SchemaTests {
    /// A complete message of each kind with every field set, by its schema's name.
    static func samples() throws -> [(name: String, schema: JSONValue, sample: JSONValue)] {
        try ContractDocument.files().filter { $0.path.hasPrefix("schemas/") }.map { file in
            let schema = try JSONValue.decode(Array(file.text.utf8))
            var maker = SchemaSample(definitions: schema["$defs"] ?? [:])
            var members = maker.value(schema).objectValue ?? []
            let name = String(file.path.dropFirst("schemas/".count).dropLast(".json".count))
            if name.hasSuffix(".answer") {
                members.removeAll { $0.key == (name == "refusal.answer" ? "result" : "error") }
            }
            return (name, schema, .object(members))
        }
    }

    private func roundTrip<R: Record>(_ type: R.Type, _ sample: JSONValue, _ name: String) throws {
        let value = try R.decode(sample.encoded())
        #expect(try JSONValue.decode(value.encoded()) == sample, "\(name)")
        // What a later version adds is passed over.
        let later = JSONValue.object(
            (sample.objectValue ?? []) + [("from_the_future", ["deep": [1, "two"]])])
        #expect(try R.decode(later.encoded()) == value, "\(name)")
    }

    @Test func everyMethodReadsWhatItsSchemaAllows() throws {
        let samples = Dictionary(uniqueKeysWithValues: try Self.samples().map { ($0.name, $0.sample) })
        func check<M: Call>(_ method: M.Type) throws {
            let request = try #require(samples[M.name + ".request"])
            try roundTrip(Request.self, request, M.name)
            try roundTrip(M.Params.self, try #require(request["params"]), M.name)
            let answer = try #require(samples[M.name + ".answer"])
            try roundTrip(Answer.self, answer, M.name)
            try roundTrip(M.Result.self, try #require(answer["result"]), M.name)
        }
        for method in Registry.calls { try check(method) }
    }

    /// A misspelt parameter must not be passed over: it would mean "all", or a default. At every depth.
    @Test func everyMethodRefusesWhatItsSchemaDoesNotName() throws {
        let samples = Dictionary(uniqueKeysWithValues: try Self.samples().map { ($0.name, $0.sample) })
        func refuses<R: Record>(_ type: R.Type, _ sample: JSONValue, _ name: String) throws {
            #expect(throws: Never.self, "\(name)") { try R.decodeStrictly(sample.encoded()) }
            for more in Self.withOneMore(sample) {
                let bytes = more.encoded()
                // What is not read by fields, as a dictionary or any value, takes it.
                guard let read = try? R.decode(bytes), try JSONValue.decode(read.encoded()) != more else {
                    continue
                }
                let error = #expect(throws: JSONError.self, "\(name)") { try R.decodeStrictly(bytes) }
                #expect(error?.code == .unknownField && error?.path.hasSuffix("nmaes") == true, "\(name)")
            }
        }
        func check<M: Call>(_ method: M.Type) throws {
            let request = try #require(samples[M.name + ".request"])
            try refuses(M.Params.self, try #require(request["params"]), M.name)
            let more = JSONValue.object((request.objectValue ?? []) + [("prams", [:])])
            #expect(throws: JSONError.self, "\(M.name)") { try Request.decodeStrictly(more.encoded()) }
        }
        for method in Registry.calls { try check(method) }
    }

    /// The document with a member `nmaes` in each of its objects in turn.
    private static func withOneMore(_ value: JSONValue) -> [JSONValue] {
        if let members = value.objectValue {
            let inner = members.indices.flatMap { index in
                withOneMore(members[index].value).map { changed in
                    var copy = members
                    copy[index].value = changed
                    return JSONValue.object(copy)
                }
            }
            return [.object(members + [("nmaes", ["a"])])] + inner
        }
        guard let items = value.arrayValue else { return [] }
        return items.indices.flatMap { index in
            withOneMore(items[index]).map { changed in
                var copy = items
                copy[index] = changed
                return JSONValue.array(copy)
            }
        }
    }

    @Test func everyEventReadsWhatItsSchemaAllows() throws {
        let samples = Dictionary(uniqueKeysWithValues: try Self.samples().map { ($0.name, $0.sample) })
        func check<E: EventData>(_ event: E.Type) throws {
            try roundTrip(Event<E>.self, try #require(samples[E.type + ".event"]), E.type)
        }
        for event in Registry.events { try check(event) }
    }

    // MARK: a second opinion

    private static let validator = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("validate.py").path

    private static func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    // Whatever keeps Python from running is a reason to leave the second opinion out.
    private static let hasValidator = (try? python(["-c", "import jsonschema"]).status) == 0

    /// The schemas compile as 2020-12, accept every sample, and refuse it without a required member; all
    /// references of the document lead somewhere.
    @Test(.enabled(if: hasValidator, "the Debian package python3-jsonschema is not installed"))
    func anotherValidatorAgrees() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "stc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer {
            // What is left in the temporary directory is no failure of the contract.
            try? FileManager.default.removeItem(at: directory)
        }
        for (name, _, sample) in try Self.samples() {
            try Data(sample.encoded()).write(to: directory.appendingPathComponent(name + ".json"))
        }
        let result = try Self.python([Self.validator, DriftTests.directory.path, directory.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix("all valid\n"), "\(result.output)")
    }
}
