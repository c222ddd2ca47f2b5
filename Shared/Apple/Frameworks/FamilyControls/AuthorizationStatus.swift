internal import Contract

/// Whether the person lets the app act. Raw values follow the order of the cases, from 0.
public enum AuthorizationStatus: Int, Codable, CustomStringConvertible, Sendable {
    /// The person was never asked, or the app revoked its authorization.
    case notDetermined
    /// The person refused, or disabled the app.
    case denied
    case approved
    /// Approved, and the app may see the names of installed apps and visited sites.
    case approvedWithDataAccess

    /// The case name.
    public var description: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .denied: "denied"
        case .approved: "approved"
        case .approvedWithDataAccess: "approvedWithDataAccess"
        }
    }
}

extension AuthorizationStatus {
    init(_ authorization: Authorization?) {
        guard let authorization else {
            self = .notDetermined
            return
        }
        switch authorization.status {
        case .notDetermined: self = .notDetermined
        case .denied: self = .denied
        case .approved:
            self = authorization.dataAccess == true ? .approvedWithDataAccess : .approved
        }
    }
}

/// The person whom an app supervises.
public enum FamilyControlsMember: Int, Codable, CustomStringConvertible, Sendable {
    /// A child: the app acts as a guardian of the person at this machine. Only one app may do so.
    case child
    /// The person at this machine, by their own choice.
    case individual

    /// The case name.
    public var description: String {
        switch self {
        case .child: "child"
        case .individual: "individual"
        }
    }
}
