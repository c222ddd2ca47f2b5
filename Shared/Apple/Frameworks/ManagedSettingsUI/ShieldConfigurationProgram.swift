package import Contract
package import ExtensionLink
internal import FoundationExtras
internal import ManagedSettings

extension ShieldConfigurationDataSource {
    /// Serves the host that started this program; never returns. The build makes it the main program of a
    /// shield-configuration extension.
    ///
    /// - Parameter principal: evaluated when the first shield is requested, on the callback thread. Exit
    /// codes: 0 the host no longer needs the extension; 64 it was not started by a host; 65 the host violates
    /// the protocol.
    public static func serve(
        _ principal: @autoclosure @escaping @Sendable () -> ShieldConfigurationDataSource
    ) -> Never {
        // `X.serve(X())` gives the class without creating an object; the installation compares it with
        // Info.plist.
        if self != ShieldConfigurationDataSource.self { Link.shared.name(principal: self) }
        serve(on: .shared, principal)
        Link.shared.serveForever(MainThread.serve)
    }

    /// Registers the handler on a link and returns; ``serve(_:)`` without a link then blocks.
    package static func serve(
        on link: Link, _ principal: @escaping @Sendable () -> ShieldConfigurationDataSource
    ) {
        var made: ShieldConfigurationDataSource?
        link.serve(ShieldConfigure.self) { params in
            let source = made ?? principal()
            made = source
            return try source.look(params)
        }
    }

    /// Calls the overload for the shielded subject.
    package func look(_ params: ShieldConfigure.Params) throws -> ShieldLook {
        let category = params.category.map {
            ActivityCategory(
                identifier: $0.name, token: ActivityCategoryToken(wireText: $0.token),
                localizedDisplayName: $0.displayName ?? $0.name)
        }
        if let shielded = params.application {
            let application = Application(
                bundleIdentifier: shielded.name, token: ApplicationToken(wireText: shielded.token),
                localizedDisplayName: shielded.displayName ?? shielded.name)
            return
                (category.map { configuration(shielding: application, in: $0) }
                ?? configuration(shielding: application)).look
        }
        guard let shielded = params.webDomain else {
            throw ServiceError(
                .invalidParams, "neither an app nor a domain is shielded", remedy: "See the wire protocol.")
        }
        let domain = WebDomain(domain: shielded.name, token: WebDomainToken(wireText: shielded.token))
        return
            (category.map { configuration(shielding: domain, in: $0) } ?? configuration(shielding: domain))
            .look
    }
}
