import Contract
import Foundation
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// Programs of strangers, in Python, against the real services.
enum ForeignPrograms {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let document = root.appending(path: "docs/contract/asyncapi.json").path
    static let reason: Comment = "the Debian package python3-zmq is not installed"

    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", "import zmq"]
        process.standardError = FileHandle.nullDevice
        // A Python that cannot be started does not count.
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension World {
    /// Starts a Python program of ours from Tests/.
    func launchPython(_ name: String, _ script: String, _ arguments: [String]) throws -> ChildProcess {
        let python = try #require(ForeignPrograms.python)
        let path = ForeignPrograms.root.appending(path: "Tests/\(script)").path
        return try launch(name, [python, "-B", path] + arguments)
    }
}

extension ChildProcess {
    /// The line of a step, as JSON.
    func step(_ name: String) async throws -> JSONValue {
        let text = try await line(#"{"step": "\#(name)""#)
        return try JSONValue.decode(Array(text.utf8))
    }
}

/// A client written from the contract's document alone can do what ours can.
@Suite struct ForeignClientTests {
    private static let services = ["auth-service", "activity-center", "report-service", "monitor-runner"]

    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason))
    func aProgramThatKnowsOnlyTheDocumentCanDoItAll() async throws {
        try await World.with(Self.services) { world in
            let events = try world.record(.auth)
            let client = try world.launchPython(
                "foreign", "ForeignClient/client.py",
                [ForeignPrograms.document, world.runtime.path] + Self.services)
            do { try await follow(client, world, events) } catch {
                Issue.record("\(error)\n\(world.errors(of: "foreign"))")
            }
        }
    }

    @LoopActor private func follow(
        _ client: ChildProcess, _ world: World, _ events: EventRecorder
    ) async throws {
        #expect(try await client.step("refused")["name"] == "notAuthorized")
        // Only the person approves.
        _ = try await client.step("asking")
        let pending = try await events.pending("org.example.foreign")
        try await world.decide(pending.id, .approve)
        #expect(try await client.step("authorized")["status"] == "approved")

        #expect(try await client.step("threshold")["event"] == "play")
        let recovered = try await client.step("recovered")
        let dropped = try #require(recovered["dropped"]?[0]?.integerValue)
        let gap = try #require(recovered["gaps"]?[0])
        #expect(gap["type"]?.stringValue == UsageRecorded.type)
        #expect(gap["previous"]?.integerValue ?? 0 >= dropped)
        #expect(gap["after"]?.integerValue ?? .max < dropped)
        #expect(try await client.step("complete")["events"]?.integerValue ?? 0 >= 4)
        let game = try await client.step("report")["rows"]?["org.example.game"]?.integerValue
        #expect(game ?? 0 >= 1_000, "the threshold was a second")

        let trace = try await client.step("trace")
        #expect(trace["trace_id"] == (try await client.step("threshold")["trace_id"]), "through a timer")
        let found = try #require(trace["found"])
        #expect(
            names(found, "activity-center").isSuperset(of: [UsageObserve.name, EventDidReachThreshold.type]))
        #expect(names(found, "report-service").contains(UsageRecorded.type))
        #expect(names(found, "monitor-runner").contains(EventDidReachThreshold.type))
        #expect(try await client.exit() == 0)
    }

    private func names(_ found: JSONValue, _ service: String) -> Set<String> {
        Set(found[service]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }
}
