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

    private static let clientMethods = Registry.methods.filter { $0.access != .person }

    private static let actingMethods = clientMethods.filter { method in
        let forAppsOnly = ["authorization.request", "usage.", "report.", "catalog."]
        return !forAppsOnly.contains { method.name.hasPrefix($0) }
    }
}
