import Contract
public import Foundation
import Loop

extension VirtualHousehold {
    /// The present of the household.
    public var now: Date {
        get async throws {
            Date(timeIntervalSince1970: Double(try await world.clock.now.milliseconds) / 1_000)
        }
    }

    /// Waits until all work is done: every callback has returned, every notification is posted.
    @LoopActor public func advance(_ duration: Duration) async throws {
        try await world.clock.advance(duration)
    }

    /// - Parameter instant: RFC 3339 in UTC.
    @LoopActor public func advance(to instant: String) async throws {
        try await world.clock.advance(to: instant)
    }

    /// Puts an app into the foreground for some time, beginning now.
    /// - Parameters:
    ///   - app: its id, for example `org.example.Game`.
    ///   - domain: the host in the active tab, for a browser.
    @LoopActor public func use(
        _ app: String, showing domain: String? = nil, for duration: Duration, device: String = "laptop"
    ) async throws {
        try await observe(.active, device)
        try await observe(.focus, device) { $0.app = app }
        if let domain { try await observe(.domain, device) { ($0.app, $0.domain) = (app, domain) } }
        var left = duration
        while left > signOfLife {
            try await world.clock.advance(signOfLife)
            try await observe(.alive, device)
            left -= signOfLife
        }
        try await world.clock.advance(left)
        try await observe(.idle, device)
        try await world.clock.settle()
    }

    /// A sensor that is silent for longer counts as dead.
    private var signOfLife: Duration { .seconds(30) }

    @LoopActor private func observe(
        _ kind: ObservationKind, _ device: String, _ fill: (inout Observation) -> Void = { _ in }
    ) async throws {
        observed += 1
        var observation = Observation(at: try world.clock.now, kind: kind, ordinal: observed)
        fill(&observation)
        _ = try await world.call(
            UsageObserve.self, UsageObserve.Params(device: device, observations: [observation]))
    }
}
