package import Contract
public import Foundation

/// An error for which Apple's API has no case: what failed and what to do.
public struct ScreenTimeError: LocalizedError, CustomNSError, Equatable, Hashable, Sendable {
    /// The error domain for Objective-C style error handling: `ScreenTimeError`.
    public static var errorDomain: String { "ScreenTimeError" }

    /// Stable; branch on it. One of the bus contract's error names, such as `unavailable`,
    /// `deadlineExceeded`, `limitExceeded`, `tokenRevoked`.
    public let name: String
    /// The stable number of the error name.
    public let errorCode: Int
    /// What failed and why.
    public let message: String
    /// What to do.
    public let remedy: String

    public var errorDescription: String? { message }
    public var recoverySuggestion: String? { remedy }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: remedy]
    }

    /// Copies name, number, message and remedy of a service error.
    package init(_ error: ServiceError) {
        name = error.name.rawValue
        errorCode = Int(error.name.code)
        message = error.message
        remedy = error.remedy
    }
}
