internal import Contract
internal import ExtensionLink
public import Foundation

extension DeviceActivityData {
    /// Why no usage data is returned.
    public enum Error: LocalizedError, Equatable, Hashable, Sendable {
        /// A service cannot be reached or does not answer in time.
        case unavailable
        /// The client has no data access, which needs the entitlement and the person's consent.
        case unauthorized
        /// There is no data for what the filter selects.
        case missingData

        /// In English, for a developer.
        public var errorDescription: String? {
            switch self {
            case .unavailable: "The usage data is not available now."
            case .unauthorized: "The client has no access to usage data."
            case .missingData: "There is no data for the people and devices that the filter selects."
            }
        }
    }

    /// How fresh the data must be. Both cases behave alike here: each answer is computed when it is
    /// requested.
    public enum Policy: Equatable, Hashable, Sendable {
        case cached
        case live
    }

    /// The usage data itself, for programs with data access. Each iteration queries report-service again and
    /// can throw ``Error``.
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
