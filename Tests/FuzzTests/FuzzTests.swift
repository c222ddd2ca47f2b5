import Units
import ActivityCore
import AuthCore
import Contract
import Foundation
import Loop
import NotifierCore
import ReportCore
import ServiceKit
import ShieldCore
import ScreenTimeTesting
import Testing

@testable import MonitorCore

/// Requests made from the contract's schemas, with values at the edges of every type, to every method of
/// every service: each is answered, and no service ends. scripts/fuzz.sh runs the same for as long as one
/// likes.
@Suite(.serialized) struct FuzzTests {
    /// All services inside of one process, one request at a time: whatever traps ends that process, and the
    /// request is known.
    @Test func noRequestEndsAServiceInProcess() async throws {
        let plan = FuzzPlan.make(seconds: 25)
        let place = try FuzzPlace()
        print("in process: seed \(plan.seed), \(plan.seconds) s")
        setenv(FuzzPlace.key, place.path, 1)
        setenv("SCREENTIME_FUZZ_SEED", String(plan.seed), 1)
        await #expect(processExitsWith: .success) {
            do { try await FuzzTests.fuzzThisProcess() } catch {
                try FuzzPlace.ofParent().say("\(error)")
                throw error
            }
        }
        let said = place.read("said")
        print(said)
        #expect(
            said.contains("requests"),
            "seed \(plan.seed): the services ended at this request:\n\(place.read("last").prefix(4_000))")
    }

    /// In the process of its own that the test above starts.
    @LoopActor static func fuzzThisProcess() async throws {
        let place = try FuzzPlace.ofParent()
        let plan = FuzzPlan.make(seconds: 25)
        let configuration = try Configuration(environment: [
            "HOME": place.path, "SCREENTIME_RUNTIME_DIR": place.path + "/run",
            "SCREENTIME_STATE_DIR": place.path + "/state",
        ])
        try AuthService(configuration).start()
        try ActivityCenter(configuration).start()
        try ShieldService(configuration).start()
        try NotifierService(configuration).start()
        try ReportService(configuration).start()
        let monitor = try MonitorService(configuration)
        try monitor.start()
        let last = try place.open("last")
        let note: @LoopActor (String) -> Void = { request in
            let bytes = Array((request + "\n").utf8)
            // Its log is for finding the fault; a full disk must not be mistaken for one.
            _ = ftruncate(last, 0)
            _ = pwrite(last, bytes, bytes.count, 0)
        }
        let run = try FuzzRun(configuration.runtime, seed: plan.seed, window: 1, note: note)
        try await run.run(seconds: plan.seconds * 2 / 3) { _ in }
        let links = try LinkRun(configuration, host: monitor.host, seed: plan.seed, note: note)
        try await links.run(seconds: max(1, plan.seconds / 3))
        try place.say(
            "\(run.summary); links: \(links.requestsCount) requests of programs, \(links.framesCount) frames")
        exit(0)
    }

    /// What ended a service once, and its like, sent to every service.
    @Test func noServiceEndsByWhatEndedOneBefore() async throws {
        try await World.with { world in
            for service in ServiceName.startOrder {
                let peer = try FuzzPeer(service, in: world.runtime)
                var refusals = 0
                peer.onAnswer { answer in
                    // A malformed answer does not count, and is missed below.
                    if (try? Answer.decode(answer))?.error != nil { refusals += 1 }
                }
                for (number, (method, params)) in Self.fatal.enumerated() {
                    // A write without a key would not come as far.
                    try await peer.send(
                        #"{"jsonrpc":"2.0","id":1,"idempotency_key":"\#(number)","method":"\#(method)","#
                            + #""params":\#(params)}"#)
                }
                try await peer.settle(to: 0, deadline: 20_000)
                #expect(try world.process(service.rawValue).status == nil, "\(service.rawValue) ended")
                // Invalid page tokens: some services treat any text as one past all others.
                #expect(refusals >= Self.fatal.count - Self.pages.count, "\(service.rawValue)")
                peer.close()
            }
        }
    }

    private static let pages = [
        "9223372036854775807", "9223372036854775807-1", "1-9223372036854775807", "9223372036854775806",
        "-9223372036854775808", "2147483648",
    ]

    private static let fatal: [(String, String)] =
        pages.map { ("events.snapshot", #"{"page":"\#($0)"}"#) } + [
            ("events.read", #"{"after":9223372036854775807}"#),
            ("events.read", #"{"after":-9223372036854775808}"#),
            ("events.read", #"{"after":0,"limit":9223372036854775807}"#),
            ("events.snapshot", #"{"through":9223372036854775807}"#),
            ("trace.read", #"{"limit":-9223372036854775808}"#),
            ("clock.tick", #"{"wait_ms":9223372036854775807}"#),
            (
                "report.query",
                #"{"during":{"start_ms":9223372036854775807,"end_ms":9223372036854775807}}"#
            ),
            (
                "privacy.forget",
                #"{"from_ms":9223372036854775807,"to_ms":-9223372036854775808}"#
            ),
        ]

    /// The built executables, with many requests open at once.
    @Test func noRequestEndsAServiceOverTheBus() async throws {
        let plan = FuzzPlan.make(seconds: 25)
        print("over the bus: seed \(plan.seed), \(plan.seconds) s")
        let place = try FuzzPlace()
        let environment = ["SCREENTIME_LOG_LEVEL": "info", "SCREENTIME_STATE_DIR": place.path + "/state"]
        try await World.with(environment: environment) { world in
            let run = try FuzzRun(world.runtime, seed: plan.seed, window: 32) { _ in }
            let watches = World.allServices.map { name in
                Task { @LoopActor in
                    let process = try world.process(name)
                    let status = try await process.exit(deadline: .seconds(plan.seconds) + .minutes(10))
                    run.giveUp(Overdue("\(name) ended with \(status)"))
                }
            }
            defer { watches.forEach { $0.cancel() } }
            do {
                try await run.run(seconds: plan.seconds) { service in
                    let status = try world.process(service.rawValue).status
                    guard status == nil else { throw Overdue("\(service.rawValue) ended: \(status ?? 0)") }
                }
            } catch {
                Issue.record(
                    """
                    seed \(plan.seed), after \(run.requestsCount) requests: \(error). Among these:
                    \(run.unanswered.map { String($0.prefix(1_000)) }.joined(separator: "\n"))
                    """)
            }
            print(run.summary)
            for service in World.allServices {
                #expect(try world.process(service).status == nil, "seed \(plan.seed): \(service) ended")
            }
        }
    }
}

extension FuzzRun {
    var summary: String {
        let names = namesCounts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        return "\(requestsCount) requests, \(answersCount) answers: " + names.joined(separator: ", ")
    }
}

/// The directory of one run, shared by the test and the process that it starts.
final class FuzzPlace: Sendable {
    static let key = "SCREENTIME_FUZZ_PLACE"
    let path: String
    private let isOwner: Bool

    /// In memory where possible, because the speed of a disk does not matter here.
    init() throws {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = "\(root)/stf-\(UInt32.random(in: 0 ... .max))"
        isOwner = true
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    private init(_ path: String) {
        self.path = path
        isOwner = false
    }

    static func ofParent() throws -> FuzzPlace {
        guard let path = getenv(key) else { throw Overdue("\(key) is not set") }
        return FuzzPlace(String(cString: path))
    }

    deinit {
        // A directory left behind is no failure of what the test shows.
        if isOwner { try? FileManager.default.removeItem(atPath: path) }
    }

    func open(_ name: String) throws -> Int32 {
        let descriptor = Glibc.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Overdue("open \(name): errno \(errno)") }
        return descriptor
    }

    func say(_ text: String) throws {
        try text.write(toFile: path + "/said", atomically: true, encoding: .utf8)
    }

    func read(_ name: String) -> String {
        // A file that does not exist yet counts as empty.
        (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
    }
}
