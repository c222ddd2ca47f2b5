package import Contract

extension ServiceError {
    /// A service was not there to answer, or could not keep what it was given.
    package var isOfService: Bool {
        switch name {
        case .unavailable, .deadlineExceeded, .shuttingDown, .storageFull, .storageFailed, .storageDamaged:
            true
        default: false
        }
    }
}

/// The kind of a program, which determines what it may ask its host for.
package enum ProgramKind: Sendable, Equatable, CaseIterable {
    /// An app, connected through `app-link`.
    case app
    case monitor
    case shieldConfiguration
    case shieldAction
    case report

    /// Methods of the bus that its host relays. An app: all methods that a client may call. An extension that
    /// acts: the same without those that ask the person and those with figures of use. An extension that sees
    /// names or figures: none, so that it cannot pass them on.
    package var relayedMethods: [any Method.Type] {
        switch self {
        case .app: Self.clientMethods
        case .monitor, .shieldAction: Self.actingMethods
        case .shieldConfiguration, .report: []
        }
    }

    /// Whether a method is a write that its host relays.
    package func writes(_ method: String) -> Bool {
        relayedMethods.contains { $0.name == method && $0.effect == .write }
    }

    /// Events of the bus that a program may receive, if they belong to its client: those that contain only
    /// what the client set, chose or received itself.
    package static let receivableEvents: [any EventData.Type] = [
        AuthorizationChanged.self, SelectionChanged.self, SettingsChanged.self, SettingsRejected.self,
        IntervalDidStart.self, IntervalDidEnd.self, EventDidReachThreshold.self,
        IntervalWillStartWarning.self, IntervalWillEndWarning.self, EventWillReachThresholdWarning.self,
        NotificationDelivered.self, NotificationAnswered.self, NotificationFailed.self, DarwinPosted.self,
    ]

    /// Whether a program of this kind sees names: it gets them for drawing, and cannot pass them on.
    package var seesNames: Bool { self == .shieldConfiguration || self == .report }

    private static let clientMethods = Registry.methods.filter { $0.access != .person }

    private static let actingMethods = clientMethods.filter { method in
        let forAppsOnly = ["authorization.request", "usage.", "report.", "catalog."]
        return !forAppsOnly.contains { method.name.hasPrefix($0) }
    }
}
