import Loop
import ScreenTimeTesting
import Time
import Units

@testable import CoverCore

/// Presses keys and clicks, and knows how long nothing was pressed.
@LoopActor final class Typist {
    /// The longest time between two of them, at most.
    private(set) var rest: Milliseconds = 0
    /// How many keys and clicks were sent.
    private(set) var count = 0
    /// When the last one was sent; it is pressed later.
    private var last: Milliseconds?
    private var isGoingOn = false

    func press(_ key: String, _ stage: CoverStage) async throws {
        try await press { try await stage.xdotool("key", key) }
    }

    func click(_ point: (x: Int, y: Int), _ stage: CoverStage) async throws {
        try await press { try await stage.click(point.x, point.y) }
    }

    /// Clicks there again and again until `body` has ended.
    func clicking<T>(
        _ point: (x: Int, y: Int), _ stage: CoverStage, until body: @LoopActor () async throws -> T
    ) async throws -> T {
        try await goingOn({ try await self.click(point, stage) }, until: body)
    }

    /// Presses these keys one after the other, again and again, until `body` has ended.
    func typing<T>(
        _ keys: [String], _ stage: CoverStage, until body: @LoopActor () async throws -> T
    ) async throws -> T {
        var next = 0
        return try await goingOn(
            {
                try await self.press(keys[next % keys.count], stage)
                next += 1
            }, until: body)
    }

    private func goingOn<T>(
        _ step: @escaping @LoopActor () async throws -> Void, until body: @LoopActor () async throws -> T
    ) async throws -> T {
        isGoingOn = true
        let steps = Task { @LoopActor in
            while isGoingOn { try await step() }
        }
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        isGoingOn = false
        try await steps.value
        return try result.get()
    }

    private func press(_ body: @LoopActor () async throws -> Void) async throws {
        let begin = MonotonicClock.now
        try await body()
        count += 1
        _ = restAtMost()
        last = begin
    }

    /// ``rest``, if another one is pressed now.
    func restAtMost() -> Milliseconds {
        let now = MonotonicClock.now
        rest = max(rest, now - (last ?? now))
        return rest
    }

    /// Calls `body`, again when it rested for `quiet` or longer: where this process gets no processor for so
    /// long, the person rests.
    static func withoutRest(
        of quiet: Milliseconds, _ body: @LoopActor (Typist) async throws -> Void
    ) async throws {
        for attempt in 1...20 {
            let typist = Typist()
            try await body(typist)
            if typist.rest < quiet { return }
            print("attempt \(attempt): up to \(typist.rest) ms between two keys or clicks")
        }
        throw Overdue("no attempt pressed its keys or clicked in time")
    }
}
