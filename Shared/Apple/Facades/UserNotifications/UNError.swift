internal import Contract
public import Foundation

/// Why a notification request was refused.
public struct UNError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's numbers. 1 is also used for refusals by a service for other reasons; ``errorDescription`` has
    /// them.
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

    /// The reason; branch on it.
    public let code: Code
    /// What failed and what to do, in one sentence.
    public let errorDescription: String?

    /// - Parameter userInfo: only `NSLocalizedDescriptionKey` is kept.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        errorDescription = userInfo[NSLocalizedDescriptionKey] as? String
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        errorDescription = description
    }

    /// Maps a service error.
    init(_ error: ServiceError) {
        let code: Code =
            switch error.name {
            case .invalidParams: .notificationInvalidNoContent
            default: .notificationsNotAllowed
            }
        self.init(code, "\(error.message) (\(error.name.rawValue)). \(error.remedy)")
    }

    /// As on Apple's systems.
    public static var errorDomain: String { UNErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The description under `NSLocalizedDescriptionKey`, if there is one.
    public var errorUserInfo: [String: Any] {
        errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:]
    }

    /// For `catch UNError.notificationsNotAllowed`; also a service's other refusals.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// For `catch`; the attachment's URL is not a readable file.
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    /// For `catch`; the attachment is not a picture.
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    /// For `catch`; never thrown here.
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    /// For `catch`; never thrown here.
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    /// For `catch`; the trigger never fires.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    /// For `catch`; the text is missing or too long.
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    /// For `catch`; the badge is negative.
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError.Code {
    /// Supports `catch UNError.notificationsNotAllowed`.
    public static func ~= (code: UNError.Code, error: any Error) -> Bool {
        (error as? UNError)?.code == code
    }
}
