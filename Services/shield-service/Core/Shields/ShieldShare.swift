import Contract
import Rules
import Units

/// A part of the shields with a limit of its own, so that no app takes the room that others need. Each byte
/// count is of the shields as JSON, with a fixed length for every name (``Record/weight``).
enum ShieldShare: Equatable {
    /// What follows from the stores of one app alone.
    case app(String)
    /// What follows from the stores of all apps together; the rest is for the person's own limits.
    case apps
    /// All shields.
    case all

    /// The parts that a write by this client may not make larger than allowed.
    static func parts(writtenBy client: String) -> [ShieldShare] {
        client == BuiltInClient.limits ? [.all] : [.app(client), .apps, .all]
    }

    func bytes(in state: ShieldState) -> Int {
        switch self {
        case .app(let client): Self.weight(state.shields { $0 == client })
        case .apps: Self.weight(state.shields { $0 != BuiltInClient.limits })
        case .all: Self.weight(state.shields.values)
        }
    }

    var bytesMax: Int {
        switch self {
        case .app: ShieldLimits.shieldBytesPerAppMax
        case .apps: ShieldLimits.shieldBytesOfAppsMax
        case .all: ShieldLimits.shieldBytesMax
        }
    }

    /// - Parameters:
    ///   - state: what would be.
    ///   - isForPerson: an app learns nothing of other apps.
    func refusal(_ state: ShieldState, which: String, isForPerson: Bool) -> ServiceError {
        let (whose, limit) =
            switch self {
            case .app(let client): ("the shields of \(client)", "shieldBytesPerAppMax")
            case .apps: ("the shields of all apps", "shieldBytesOfAppsMax")
            case .all: ("all shields", "shieldBytesMax")
            }
        let holder = isForPerson ? Self.largestHolder(in: state, besidesLimits: self == .apps) : nil
        let most = holder.map { ", most of them for \($0)" } ?? ""
        return ServiceError(
            .limitExceeded, "\(whose)\(which) would take more than \(bytesMax) bytes (\(limit))\(most)",
            remedy: "Shield whole categories instead of single apps, or revoke an app; nothing of this "
                + "request was stored.")
    }

    private static func largestHolder(in state: ShieldState, besidesLimits: Bool) -> String? {
        let clients = Set(state.stores.keys.map(\.client)).filter {
            !besidesLimits || $0 != BuiltInClient.limits
        }
        return clients.map { (ShieldShare.app($0).bytes(in: state), $0) }.max { $0 < $1 }?.1
    }

    private static func weight(_ shields: some Sequence<EffectiveShield>) -> Int {
        shields.reduce(0) { $0 + $1.weight + 1 }
    }
}

extension ShieldState {
    /// What follows from the stores of some clients alone.
    fileprivate func shields(of isIncluded: (_ client: String) -> Bool) -> [EffectiveShield] {
        Dictionary(grouping: rules.filter { isIncluded($0.key.client) }, by: \.key.member)
            .flatMap { member, stores in ShieldPolicy(stores.map(\.value)).shields(of: member) }
    }
}
