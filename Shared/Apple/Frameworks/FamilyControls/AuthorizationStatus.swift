internal import Contract

/// Whether the person lets the app act. Raw values from 0 in the order of the cases.
public enum AuthorizationStatus: Int, Codable, CustomStringConvertible, Sendable {
    /// The person was never asked, or the app gave its authorization back.
    case notDetermined
    /// The person said no, or switched the app off.
    case denied
    case approved
    /// Approved, and the app may see by name which apps are installed and which sites were visited.
    case approvedWithDataAccess

    /// The name of the case.
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

/// For whom an app acts.
public enum FamilyControlsMember: Int, Codable, CustomStringConvertible, Sendable {
    /// As a guardian of the person at this machine: one app at a time.
    case child
    /// For the person at this machine themselves.
    case individual

    /// The name of the case.
    public var description: String {
        switch self {
        case .child: "child"
        case .individual: "individual"
        }
    }
}
