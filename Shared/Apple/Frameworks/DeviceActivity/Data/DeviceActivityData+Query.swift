internal import Contract
internal import ExtensionLink
public import Foundation

extension DeviceActivityData {
    /// Why there are no figures.
    public enum Error: LocalizedError, Equatable, Hashable, Sendable {
        /// The service cannot be reached, or does not answer in time.
        case unavailable
        /// The client has no data access: the entitlement and the person's consent to it.
        case unauthorized
        /// Nothing is known of what the filter asks for.
        case missingData

        /// In English, for a developer.
        public var errorDescription: String? {
            switch self {
            case .unavailable: "The figures cannot be had now."
            case .unauthorized: "The client has no access to figures of use."
            case .missingData: "Nothing is known of the people and devices that the filter asks for."
            }
        }
    }

    /// How new the figures must be. Both are the same here: every answer is as of now.
    public enum Policy: Equatable, Hashable, Sendable {
        case cached
        case live
    }

    /// The figures themselves, for programs with data access. A sequence asks when it is iterated, each time
    /// anew, and throws ``Error``.
    public static func activityData(
        filteredBy filter: DeviceActivityFilter = .init(), using policy: Policy = .cached
    ) -> some AsyncSequence<DeviceActivityData, any Swift.Error> {
        AsyncThrowingStream { continuation in
            let asking = Task {
                do {
                    for data in try await query(filter) { continuation.yield(data) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in asking.cancel() }
        }
    }

    private static func query(_ filter: DeviceActivityFilter) async throws -> [DeviceActivityData] {
        do {
            let own = try await Link.shared.call(later: AuthorizationList.self, AuthorizationList.Params())
            guard own.authorizations.contains(where: { $0.access && $0.dataAccess == true }) else {
                throw Error.unauthorized
            }
            let answer = try await Link.shared.call(later: ReportQuery.self, filter.query)
            let found = (answer.activity ?? []).map { DeviceActivityData($0) }
            guard !found.isEmpty else { throw Error.missingData }
            return found
        } catch let error as ServiceError {
            switch error.name {
            case .notAuthorized, .accessDenied, .unauthorized: throw Error.unauthorized
            case .unavailable, .deadlineExceeded, .shuttingDown: throw Error.unavailable
            default: throw ScreenTimeError(error)
            }
        }
    }
}
