import Contract
import Loop
import Units

@testable import ServiceKit

/// activity-center as far as it judges the machine's clock.
@LoopActor final class ClockJudge {
    let service: Service
    private let clock: HandClock
    /// What it answers.
    var held: Milliseconds
    /// How often it was asked.
    private(set) var asked = 0
    /// Steps of the clock between its reading and the arrival of the answer.
    var late: Milliseconds = 0

    init(_ configuration: Configuration, _ clock: HandClock, held: Milliseconds = 0) throws {
        self.clock = clock
        self.held = held
        service = try Service(.activity, configuration: configuration, migrations: [])
        service.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try service.start(
            answering: { [unowned self] service in
                service.answerCatalogueFromLog()
                service.read(TimeStatus.self) { [unowned self] _, _ in
                    asked += 1
                    let wall = self.clock.now - late
                    return TimeStatus.Result(now: wall - self.held, held: self.held)
                }
            }, following: { _ in })
    }

    /// Judges otherwise, and publishes it.
    func judge(_ held: Milliseconds) throws {
        self.held = held
        try service.transact(trace: nil) { _ = try $0.emit(TimeHeld(held: held)) }
        service.endTurn()
    }

    func close() { service.close() }
}
