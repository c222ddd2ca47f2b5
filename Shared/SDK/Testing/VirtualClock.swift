import Bus
package import ClockDriver
internal import Contract
import Foundation
package import Loop
internal import ServiceKit
import Time
package import Units

/// The virtual clock of a world, driven in this process by the code of `screentime clock`.
///
///     try await World.with(clock: "2026-03-29T00:30:00Z") { world in
///         try await world.clock.advance(.hours(8))
///     }
@LoopActor package final class VirtualClock {
    private let driver: ClockDriver

    init(_ environment: [String: String], tracer: Tracer) throws {
        let configuration = try Configuration(environment: environment)
        driver = ClockDriver(configuration, tracer: tracer)
    }

    func close() { driver.close() }

    /// The machine's clock as long as the virtual clock has not started.
    package var now: Instant {
        get throws { try driver.now ?? WallTime.now }
    }

    @discardableResult
    package func start(at instant: String) async throws -> ClockDriver.Drive {
        try await driver.start(at: Self.instant(instant))
    }

    /// Returns when every process is idle.
    @discardableResult
    package func advance(_ duration: Duration) async throws -> ClockDriver.Drive {
        let (seconds, attoseconds) = duration.components
        let rest = Milliseconds(attoseconds / 1_000_000_000_000_000)
        return try await driver.advance(by: .seconds(seconds) + rest)
    }

    @discardableResult
    package func advance(to instant: String) async throws -> ClockDriver.Drive {
        try await driver.advance(to: Self.instant(instant))
    }

    @discardableResult
    package func advance(to: Instant) async throws -> ClockDriver.Drive { try await driver.advance(to: to) }

    /// Waits until every process is idle, without moving the clock.
    @discardableResult
    package func settle() async throws -> ClockDriver.Drive { try await driver.advance(by: 0) }

    /// The next due instant of a process; nil if there is none, or the process does not run.
    package func nextDue(of name: String) async throws -> Instant? {
        try await driver.view().processes.first { $0.name == name }?.nextDue
    }

    /// RFC 3339.
    package nonisolated static func instant(_ instant: String) throws -> Instant {
        let format = ISO8601DateFormatter()
        for options: ISO8601DateFormatter.Options in [
            [.withInternetDateTime], [.withInternetDateTime, .withFractionalSeconds],
        ] {
            format.formatOptions = options
            if let date = format.date(from: instant) {
                return Instant(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
            }
        }
        throw Overdue("'\(instant)' is no instant")
    }
}

extension Duration {
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    package static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
