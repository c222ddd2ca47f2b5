import Bus
package import ClockDriver
internal import Contract
import Foundation
package import Loop
internal import ServiceKit
import Time

/// The virtual clock of a world, driven by the very code of `screentime clock`, in this process.
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

    /// UTC milliseconds; of the machine while virtual time has not begun.
    package var nowMs: Int64 {
        get throws { try driver.nowMs ?? WallTime.nowMs }
    }

    @discardableResult
    package func start(at instant: String) async throws -> ClockDriver.Drive {
        try await driver.start(at: Self.milliseconds(instant))
    }

    /// Returns when every process is still.
    @discardableResult
    package func advance(_ duration: Duration) async throws -> ClockDriver.Drive {
        let (seconds, attoseconds) = duration.components
        return try await driver.advance(byMs: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    @discardableResult
    package func advance(to instant: String) async throws -> ClockDriver.Drive {
        try await driver.advance(to: Self.milliseconds(instant))
    }

    @discardableResult
    package func advance(toMs: Int64) async throws -> ClockDriver.Drive { try await driver.advance(to: toMs) }

    /// Waits until every process is still, without moving the clock.
    @discardableResult
    package func settle() async throws -> ClockDriver.Drive { try await driver.advance(byMs: 0) }

    /// When something is due in a process next; nil: nothing, or it does not run.
    package func nextDue(of name: String) async throws -> Int64? {
        try await driver.view().processes.first { $0.name == name }?.nextDueMs
    }

    /// RFC 3339 as UTC milliseconds.
    package nonisolated static func milliseconds(_ instant: String) throws -> Int64 {
        let format = ISO8601DateFormatter()
        for options: ISO8601DateFormatter.Options in [
            [.withInternetDateTime], [.withInternetDateTime, .withFractionalSeconds],
        ] {
            format.formatOptions = options
            if let date = format.date(from: instant) {
                return Int64((date.timeIntervalSince1970 * 1_000).rounded())
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
