internal import Contract
public import FoundationExtras

/// Errors of FamilyControls. Raw values follow the order of the cases, from 0.
public enum FamilyControlsError: LocalizedError, Equatable, Hashable, Sendable {
    /// A restriction forbids the operation.
    case restricted
    /// A service cannot be reached, or a resource it needs is missing.
    case unavailable
    /// The operation is not possible for this kind of member.
    case invalidAccountType
    /// An argument is invalid.
    case invalidArgument
    /// Another app provides parental controls for this member.
    case authorizationConflict
    /// The person refused or did not answer in time.
    case authorizationCanceled
    /// The network is needed and missing. Never thrown on Linux, where nothing needs it.
    case networkError
    /// There is no way to ask the person here.
    case authenticationMethodUnavailable
    /// The app is not authorized for the operation.
    case unauthorized

    /// The reason, for a log, in English.
    public var errorDescription: String? {
        switch self {
        case .restricted: "A restriction forbids this."
        case .unavailable:
            "The Screen Time services cannot be reached, or a limit is reached; see `screentime status`."
        case .invalidAccountType: "This is not possible for this kind of member."
        case .invalidArgument: "An argument has a value that is not allowed."
        case .authorizationConflict: "Another app provides parental controls for this member."
        case .authorizationCanceled: "The person said no, or did not answer in time."
        case .networkError: "The network is needed and cannot be reached."
        case .authenticationMethodUnavailable: "The person cannot be asked here."
        case .unauthorized: "The app is not authorized for this."
        }
    }
}

extension FamilyControlsError: RawRepresentable, CustomNSError {
    /// Nil for a number that no case has.
    public init?(rawValue: Int) {
        switch rawValue {
        case 0: self = .restricted
        case 1: self = .unavailable
        case 2: self = .invalidAccountType
        case 3: self = .invalidArgument
        case 4: self = .authorizationConflict
        case 5: self = .authorizationCanceled
        case 6: self = .networkError
        case 7: self = .authenticationMethodUnavailable
        case 8: self = .unauthorized
        default: return nil
        }
    }

    /// Written out because comparing cases uses it.
    public var rawValue: Int {
        switch self {
        case .restricted: 0
        case .unavailable: 1
        case .invalidAccountType: 2
        case .invalidArgument: 3
        case .authorizationConflict: 4
        case .authorizationCanceled: 5
        case .networkError: 6
        case .authenticationMethodUnavailable: 7
        case .unauthorized: 8
        }
    }

    /// As on Apple's systems.
    public static var errorDomain: String { "FamilyControls.FamilyControlsError" }

    /// The raw value.
    public var errorCode: Int { rawValue }

    /// The description under `NSLocalizedDescriptionKey` and `NSDebugDescriptionErrorKey`.
    public var errorUserInfo: [String: Any] {
        [
            NSLocalizedDescriptionKey: errorDescription ?? "",
            NSDebugDescriptionErrorKey: errorDescription ?? "",
        ]
    }
}

extension FamilyControlsError {
    /// Maps a service error to the nearest case.
    init(_ error: ServiceError) {
        self =
            switch error.name {
            case .restricted: .restricted
            case .invalidAccountType: .invalidAccountType
            case .invalidArgument, .invalidParams, .notFound, .tokenDamaged, .tokenForeign, .tokenRevoked:
                .invalidArgument
            case .authorizationConflict: .authorizationConflict
            case .authorizationCanceled: .authorizationCanceled
            case .networkError: .networkError
            case .authenticationMethodUnavailable: .authenticationMethodUnavailable
            case .unauthorized, .notAuthorized, .accessDenied, .wrongUser: .unauthorized
            default: .unavailable
            }
    }
}
