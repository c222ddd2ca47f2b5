import Loop
import ScreenTimeTesting

/// Suspends until `condition` holds at the end of a turn.
@LoopActor func comes(_ what: String, _ condition: @escaping @LoopActor () throws -> Bool) async throws {
    let expectation = Expectation<Void>(what)
    @LoopActor func judge() {
        do { if try condition() { expectation.fulfil(()) } } catch { expectation.fail(error) }
    }
    let token = EventLoop.main.atEndOfTurn { judge() }
    defer { EventLoop.main.forget(token) }
    judge()
    try await expectation.wait(deadline: 20_000)
}
