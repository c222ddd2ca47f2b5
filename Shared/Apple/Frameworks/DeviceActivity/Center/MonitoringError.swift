internal import Contract
public import Foundation

extension DeviceActivityCenter {
    /// Why monitoring did not start. The schedule is judged before the authorization.
    public enum MonitoringError: LocalizedError, Equatable, Hashable, Sendable {
        /// More activities than this system allows: Apple's 20 in strict mode, else no limit.
        case excessiveActivities
        /// Longer than this system allows: Apple's week in strict mode, else no limit.
        case intervalTooLong
        /// Shorter than this system allows: Apple's 15 minutes in strict mode, else no limit.
        case intervalTooShort
        /// Start or end fits no instant from now on, or the warning time is no length of time.
        case invalidDateComponents
        /// The person has not authorized the client, or takes it back.
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

        public var recoverySuggestion: String? {
            switch self {
            case .excessiveActivities: "Stop monitoring some first, or put more events into one."
            case .intervalTooLong: "Let it end earlier, and repeat it."
            case .intervalTooShort: "Let it end later; with a warning time you hear of an earlier instant."
            case .invalidDateComponents: "Correct intervalStart, intervalEnd or warningTime."
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            }
        }

        /// Nil: Apple has no case for it.
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
