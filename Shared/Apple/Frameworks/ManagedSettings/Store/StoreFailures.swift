package import Contract
internal import Synchronization

/// Store failures of this process. Apple's store properties cannot throw and only log; callers that must know
/// the outcome check here.
package enum StoreFailures {
    private static let first = Mutex<ServiceError?>(nil)

    static func note(_ error: ServiceError) { first.withLock { $0 = $0 ?? error } }

    /// The first failed read or write since the last call, or nil if there was none.
    package static func take() -> ServiceError? {
        first.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
