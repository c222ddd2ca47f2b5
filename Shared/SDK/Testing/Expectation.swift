package import Loop
internal import Time
package import Units

/// Something did not happen before a deadline: what was awaited and what was last seen.
package struct Overdue: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}

/// Waits for a callback: resumes when `fulfil` is called, and throws at the deadline. Time can make it fail,
/// never succeed.
@LoopActor package final class Expectation<Value: Sendable> {
    private var value: Result<Value, any Error>?
    private var continuation: CheckedContinuation<Value, any Error>?
    private var timer: TimerToken?
    private let what: @LoopActor () -> String

    package init(_ what: @autoclosure @escaping @LoopActor () -> String) { self.what = what }

    package func fulfil(_ value: Value) { finish(.success(value)) }
    package func fail(_ error: any Error) { finish(.failure(error)) }

    private func finish(_ result: Result<Value, any Error>) {
        guard value == nil else { return }
        value = result
        if let timer { EventLoop.main.cancel(timer) }
        continuation?.resume(with: result)
        continuation = nil
    }

    /// - Parameter deadline: long enough for a slow machine; only a failure takes that long.
    package func wait(deadline: Milliseconds = 180_000) async throws -> Value {
        if let value { return try value.get() }
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            timer = EventLoop.main.after(deadline) { [self] in fail(Overdue(what())) }
        }
    }
}

/// Lets this process do its other work until something is true that no callback tells.
/// - Parameter deadline: long enough for a slow machine; only a failure takes that long.
/// - Throws: `Overdue` with `what` and the place of the call at the deadline.
package func eventually(
    _ what: @autoclosure () -> String = "what is awaited", deadline: Milliseconds = 180_000,
    file: String = #fileID, line: Int = #line, _ isTrue: () throws -> Bool
) async throws {
    let end = MonotonicClock.now + deadline
    var looks = Looks()
    while try !isTrue() {
        guard MonotonicClock.now < end else { throw Overdue("\(what()), \(file):\(line)") }
        await looks.pause()
    }
}

/// The pauses between looks at something that no callback tells. Some of it is there after a few turns of the
/// loop; what takes longer needs the processor that looking again would take from it.
package struct Looks {
    private static let turnsMax = 5
    private static let pauseMax: Milliseconds = 20

    private var count = 0

    package init() {}

    /// The time before the next look, which grows with their number.
    package mutating func next() -> Milliseconds {
        count += 1
        return min(Milliseconds(Int64(count / 10)) + 1, Self.pauseMax)
    }

    package mutating func pause() async {
        let time = next()
        if count > Self.turnsMax { await EventLoop.main.pause(time) } else { await Task.yield() }
    }
}

extension EventLoop {
    /// Lets this process do its other work.
    package func pause(_ time: Milliseconds) async {
        await withCheckedContinuation { done in _ = after(time) { done.resume() } }
    }
}
