internal import Contract
public import Foundation

/// Why a request about notifications was refused.
public struct UNError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's numbers; 1 is also what a service refused for a reason of its own, which
    /// ``errorDescription`` tells.
    public enum Code: Int, Sendable, Hashable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent = 1401
        case contentProvidingObjectNotAllowed = 1500
        case contentProvidingInvalid = 1501
        case badgeInputInvalid = 1600
    }

    public let code: Code
    /// What was wrong and what to do, in a sentence.
    public let errorDescription: String?

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        errorDescription = userInfo[NSLocalizedDescriptionKey] as? String
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        errorDescription = description
    }

    /// What the system refused with.
    init(_ error: ServiceError) {
        let code: Code =
            switch error.name {
            case .invalidParams: .notificationInvalidNoContent
            default: .notificationsNotAllowed
            }
        self.init(code, "\(error.message) (\(error.name.rawValue)). \(error.remedy)")
    }

    public static var errorDomain: String { UNErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
        errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:]
    }

    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError.Code {
    /// `catch UNError.notificationsNotAllowed`.
    public static func ~= (code: UNError.Code, error: any Error) -> Bool {
        (error as? UNError)?.code == code
    }
}
