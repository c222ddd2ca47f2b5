package import Contract

/// What a program is, and so what it may ask its host for.
package enum ProgramKind: Sendable, Equatable, CaseIterable {
    /// A program of its own, by way of `app-link`.
    case app
    case monitor
    case shieldConfiguration
    case shieldAction
    case report

    /// Methods of the bus that its host passes on: everything that a client may call at all, for an app; the
    /// same without asking the person and without figures of use, for an extension that acts; nothing for one
    /// that sees names or figures, so that it cannot tell them to anybody.
    package var relayedMethods: [any Method.Type] {
        switch self {
        case .app: Self.clientMethods
        case .monitor, .shieldAction: Self.actingMethods
        case .shieldConfiguration, .report: []
        }
    }

    /// Events of the bus that a program may hear, where they are its client's: those with nothing in them but
    /// what the client set, chose or was told itself.
    package static let heardEvents: [any EventData.Type] = [
        AuthorizationChanged.self, SelectionChanged.self, SettingsChanged.self, SettingsRejected.self,
        IntervalDidStart.self, IntervalDidEnd.self, EventDidReachThreshold.self,
        IntervalWillStartWarning.self, IntervalWillEndWarning.self, EventWillReachThresholdWarning.self,
        NotificationDelivered.self, NotificationAnswered.self, NotificationFailed.self, DarwinPosted.self,
    ]

    /// Whether a program of this kind sees names: it is shown them to draw, and can tell them to nobody.
    package var seesNames: Bool { self == .shieldConfiguration || self == .report }

    private static let clientMethods = Registry.methods.filter { $0.access != .person }

    private static let actingMethods = clientMethods.filter { method in
        let forAppsOnly = ["authorization.request", "usage.", "report.", "catalog."]
        return !forAppsOnly.contains { method.name.hasPrefix($0) }
    }
}
