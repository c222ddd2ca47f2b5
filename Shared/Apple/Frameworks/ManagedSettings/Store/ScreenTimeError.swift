package import Contract
public import Foundation

/// A refusal for which Apple's API has no case of its own: what was wrong, and what to do.
public struct ScreenTimeError: LocalizedError, CustomNSError, Equatable, Hashable, Sendable {
    public static var errorDomain: String { "ScreenTimeError" }

    /// Stable; branch on it. The names are those of the bus contract, such as `unavailable`,
    /// `deadlineExceeded`, `limitExceeded`, `tokenRevoked`.
    public let name: String
    /// Stable as well: the number of the name.
    public let errorCode: Int
    /// What was wrong.
    public let message: String
    /// What to do about it.
    public let remedy: String

    public var errorDescription: String? { message }
    public var recoverySuggestion: String? { remedy }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: remedy]
    }

    package init(_ error: ServiceError) {
        name = error.name.rawValue
        errorCode = Int(error.name.code)
        message = error.message
        remedy = error.remedy
    }
}
