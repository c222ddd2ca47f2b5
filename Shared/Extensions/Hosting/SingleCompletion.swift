import Contract
import JSON
import Loop
import Units

/// Ends a program's request exactly once: with its answer, or at the program's deadline. Several services may
/// take part in an answer, one after the other.
@LoopActor final class SingleCompletion {
    private var completion: (@LoopActor (Result<RawJSON, ServiceError>) -> Void)?
    private let loop: EventLoop
    private var timer: TimerToken?

    init(
        _ deadline: Milliseconds, on loop: EventLoop,
        _ completion: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        self.completion = completion
        self.loop = loop
        timer = loop.after(deadline) { self.end(.failure(Self.late)) }
    }

    func end(_ result: Result<RawJSON, ServiceError>) {
        guard let completion else { return }
        self.completion = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        completion(result)
    }

    private static let late = ServiceError(
        .deadlineExceeded, "the services did not answer in time", remedy: "See `screentime status`.")
}
