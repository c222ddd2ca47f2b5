internal import Contract
public import Foundation

extension DeviceActivityCenter {
    /// Why monitoring did not start. The schedule is checked before the authorization.
    public enum MonitoringError: LocalizedError, Equatable, Hashable, Sendable {
        /// The client monitors too many activities. The limit is Apple's 20 in strict mode; otherwise there
        /// is none.
        case excessiveActivities
        /// The interval is too long. The limit is Apple's week in strict mode; otherwise there is none.
        case intervalTooLong
        /// The interval is too short. The limit is Apple's 15 minutes in strict mode; otherwise there is
        /// none.
        case intervalTooShort
        /// No future instant matches the start or the end, or the warning time is not a valid duration.
        case invalidDateComponents
        /// The person has not authorized the client, or has revoked the authorization.
        case unauthorized

        /// In English, for a developer.
        public var errorDescription: String? {
            switch self {
            case .excessiveActivities: "The client monitors as many activities as it may."
            case .intervalTooLong: "The schedule's interval is longer than allowed."
            case .intervalTooShort: "The schedule's interval is shorter than allowed."
            case .invalidDateComponents: "The schedule's date components name no instant that is to come."
            case .unauthorized: "The client is not authorized to monitor."
            }
        }

        /// What the developer can change, in English.
        public var recoverySuggestion: String? {
            switch self {
            case .excessiveActivities: "Stop monitoring some first, or put more events into one."
            case .intervalTooLong: "Let it end earlier, and repeat it."
            case .intervalTooShort: "Let it end later; with a warning time you hear of an earlier instant."
            case .invalidDateComponents: "Correct intervalStart, intervalEnd or warningTime."
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            }
        }

        /// Nil if Apple has no case for the error.
        init?(_ error: ServiceError) {
            switch error.name {
            case .excessiveActivities: self = .excessiveActivities
            case .intervalTooLong: self = .intervalTooLong
            case .intervalTooShort: self = .intervalTooShort
            case .invalidDateComponents: self = .invalidDateComponents
            case .unauthorized, .notAuthorized: self = .unauthorized
            default: return nil
            }
        }
    }
}
