import Units
import Contract
import Glibc
import JSON

@testable import Bus
import Loop
import Time

/// How long, and from which seed: `SCREENTIME_FUZZ_SECONDS` and `SCREENTIME_FUZZ_SEED`, as scripts/fuzz.sh
/// sets them.
struct FuzzPlan {
    var seconds: Int64
    var seed: UInt64

    static func make(seconds: Int64) -> FuzzPlan {
        func number(_ key: String) -> String? { getenv(key).map { String(cString: $0) } }
        return FuzzPlan(
            seconds: number("SCREENTIME_FUZZ_SECONDS").flatMap { Int64($0) } ?? seconds,
            seed: number("SCREENTIME_FUZZ_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 1...(1 << 32)))
    }
}

/// Asks every service in turn, until the time is over.
@LoopActor final class FuzzRun {
    /// Requests to one service before the next one has its turn.
    private static let requestsPerTurn = 200

    private let schemas = Schemas()
    private let peers: [FuzzPeer]
    private let window: Int
    private let note: @LoopActor (String) -> Void
    private var maker: RequestMaker
    private(set) var requestsCount = 0
    private(set) var answersCount = 0
    private(set) var namesCounts: [String: Int] = [:]

    /// - Parameters:
    ///   - window: requests that are open at once.
    ///   - note: called with each request before it is sent, so that one that ends the process is known.
    init(
        _ directory: RuntimeDirectory, seed: UInt64, window: Int,
        note: @escaping @LoopActor (String) -> Void
    ) throws {
        self.window = window
        self.note = note
        maker = RequestMaker(schemas, seed: seed, now: WallTime.now)
        var peers: [FuzzPeer] = []
        for service in ServiceName.startOrder { peers.append(try FuzzPeer(service, in: directory)) }
        self.peers = peers
    }

    isolated deinit { peers.forEach { $0.close() } }

    /// - Parameter judge: called after each turn with the service that had it; throws when it is no more.
    func run(seconds: Int64, judge: @LoopActor (ServiceName) throws -> Void) async throws {
        for peer in peers { peer.onAnswer { [unowned self] in taken($0) } }
        let end = MonotonicClock.now + .seconds(seconds)
        while MonotonicClock.now < end {
            for peer in peers where MonotonicClock.now < end {
                for _ in 0..<Self.requestsPerTurn where MonotonicClock.now < end {
                    let request = maker.request(to: peer.service)
                    note("\(peer.service.rawValue) \(request)")
                    requestsCount += 1
                    try await peer.send(request, number: maker.lastID)
                    try await peer.settle(to: window - 1)
                }
                try await peer.settle(to: 0)
                try judge(peer.service)
            }
        }
    }

    /// Requests that may have no answer yet.
    var unanswered: [String] {
        peers.flatMap { peer in
            peer.unnamed.sorted { $0.key < $1.key }.map { "\(peer.service.rawValue) \($0.value)" }
        }
    }

    /// Tells all that wait that one of the services is no more.
    func giveUp(_ error: any Error) { peers.forEach { $0.giveUp(error) } }

    private func taken(_ bytes: [UInt8]) {
        answersCount += 1
        // What is no answer of ours has no name, and is counted as such.
        guard let answer = try? Answer.decode(bytes) else {
            namesCounts["no answer at all", default: 0] += 1
            return
        }
        namesCounts[answer.error?.data.name ?? "ok", default: 0] += 1
        guard let result = answer.result, result.bytes.count < 65_536 else { return }
        // It was read as part of the answer already.
        if let value = try? JSONValue.decode(result.bytes) { maker.corpus.learn(value) }
    }
}
