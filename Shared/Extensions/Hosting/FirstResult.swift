import Contract
import JSON
import Loop
import Units

/// The answer to a program's request, or its deadline, whichever comes first. Several services may take part
/// in an answer, one after the other.
@LoopActor final class FirstResult {
    private var waiting: CheckedContinuation<Result<RawJSON, ServiceError>, Never>?

    private init(_ waiting: CheckedContinuation<Result<RawJSON, ServiceError>, Never>) {
        self.waiting = waiting
    }

    /// - Parameter body: continues after the deadline, and its answer is not used.
    static func within(
        _ deadline: Milliseconds, on loop: EventLoop,
        _ body: @escaping @LoopActor () async throws(ServiceError) -> RawJSON
    ) async -> Result<RawJSON, ServiceError> {
        await withCheckedContinuation { continuation in
            let first = FirstResult(continuation)
            let timer = loop.after(deadline) { first.end(.failure(late)) }
            Task {
                do throws(ServiceError) { first.end(.success(try await body())) } catch {
                    first.end(.failure(error))
                }
                loop.cancel(timer)
            }
        }
    }

    private func end(_ result: Result<RawJSON, ServiceError>) {
        waiting?.resume(returning: result)
        waiting = nil
    }

    private static let late = ServiceError(
        .deadlineExceeded, "the services did not answer in time", remedy: "See `screentime status`.")
}
