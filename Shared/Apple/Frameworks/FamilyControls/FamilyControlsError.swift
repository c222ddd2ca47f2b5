internal import Contract
public import FoundationExtras

/// Why FamilyControls refuses. The raw values are the order of the cases, from 0.
public enum FamilyControlsError: LocalizedError, Equatable, Hashable, Sendable {
    /// A restriction forbids it.
    case restricted
    /// The system cannot be reached, or something it needs is missing.
    case unavailable
    /// Not possible for this kind of member.
    case invalidAccountType
    /// An argument has a value that is not allowed.
    case invalidArgument
    /// Another app provides parental controls for this member.
    case authorizationConflict
    /// The person said no, or did not answer in time.
    case authorizationCanceled
    /// The network is needed and missing. On Linux nothing here needs it: never thrown.
    case networkError
    /// The person cannot be asked here.
    case authenticationMethodUnavailable
    /// The app is not authorized for what it asks.
    case unauthorized

    /// What was wrong, for a log; not localized.
    public var errorDescription: String? {
        switch self {
        case .restricted: "A restriction forbids this."
        case .unavailable:
            "The Screen Time services cannot be reached, or have no room; see `screentime status`."
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

    /// Written out: comparing cases asks for it.
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

    /// `FamilyControls.FamilyControlsError`
    public static var errorDomain: String { "FamilyControls.FamilyControlsError" }

    public var errorCode: Int { rawValue }

    public var errorUserInfo: [String: Any] {
        [
            NSLocalizedDescriptionKey: errorDescription ?? "",
            NSDebugDescriptionErrorKey: errorDescription ?? "",
        ]
    }
}

extension FamilyControlsError {
    /// What a refusal of the system is called here.
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
