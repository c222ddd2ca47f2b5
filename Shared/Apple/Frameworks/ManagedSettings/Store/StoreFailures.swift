package import Contract
internal import Synchronization

/// What went wrong with stores in this process. Apple's properties of a store cannot throw: they log it, and
/// who has to know whether they did what was asked looks here.
package enum StoreFailures {
    private static let first = Mutex<ServiceError?>(nil)

    static func note(_ error: ServiceError) { first.withLock { $0 = $0 ?? error } }

    /// The first failure of a reading or a writing since this was asked last; nil: there was none.
    package static func take() -> ServiceError? {
        first.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
