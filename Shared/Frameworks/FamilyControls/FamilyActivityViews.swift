internal import Contract
internal import ExtensionLink
internal import ManagedSettings
public import SwiftUI

/// What a token names, for the person's eyes.
struct ShownToken: Sendable {
    var kind: TokenKind
    var wireText: String

    /// Asks the host; a token that cannot be read is said to be one, with the reason for a log.
    func describe() -> DescribedToken {
        do throws(ServiceError) {
            let answer = try ExtensionLink.Link.shared.call(
                DescribeTokens.self, DescribeTokens.Params(tokens: [wireText]))
            if let subject = answer.subjects.first { return subject }
        } catch {
            return DescribedToken(kind: kind, name: Self.placeholder(error.name))
        }
        return DescribedToken(kind: kind, name: Self.placeholder(.internalError))
    }

    private static func placeholder(_ error: ErrorName) -> String {
        switch error {
        case .tokenRevoked: "Choice that was withdrawn"
        case .tokenForeign, .tokenDamaged: "Unknown choice"
        default: "Name not available now"
        }
    }
}

/// The name of an app, category or web domain.
///
/// On iOS the name never reaches the app's process. Here the host tells it for the app's own valid tokens, so
/// that it can be drawn; that keeps names from nobody who looks into the process.
@MainActor public struct FamilyActivityTitleView: View, Sendable {
    let token: ShownToken

    nonisolated init(_ token: ShownToken) { self.token = token }

    public var body: some View { Text(verbatim: token.describe().name) }
}

/// A symbol for an app, category or web domain. On Linux it tells the kind; icons of apps belong to the theme
/// of the desktop that shows the page.
@MainActor public struct FamilyActivityIconView: View, Sendable {
    let token: ShownToken

    nonisolated init(_ token: ShownToken) { self.token = token }

    public var body: some View {
        switch token.kind {
        case .app: Image(systemName: "app")
        case .category: Image(systemName: "square.grid.2x2")
        case .domain: Image(systemName: "globe")
        }
    }
}
