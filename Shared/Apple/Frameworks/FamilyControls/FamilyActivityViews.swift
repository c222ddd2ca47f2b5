internal import Contract
internal import ExtensionLink
internal import ManagedSettings
public import SwiftUI

/// A token to be displayed to the person.
struct ShownToken: Sendable {
    var kind: TokenKind
    var wireText: String

    /// Asks the host for the name. If the program may not see names, or the token cannot be read, returns a
    /// placeholder.
    func describe() -> DescribedToken {
        do throws(ServiceError) {
            let answer = try ExtensionLink.Link.shared.call(
                DescribeTokens.self, DescribeTokens.Params(tokens: [wireText]))
            if let subject = answer.subjects.first { return subject }
        } catch {
            return DescribedToken(kind: kind, name: placeholder(error.name))
        }
        return DescribedToken(kind: kind, name: placeholder(.internalError))
    }

    private func placeholder(_ error: ErrorName) -> String {
        switch error {
        case .unauthorized, .accessDenied:
            switch kind {
            case .app: "App"
            case .category: "Category"
            case .domain: "Website"
            }
        case .tokenRevoked: "Choice that was withdrawn"
        case .tokenForeign, .tokenDamaged: "Unknown choice"
        default: "Name not available now"
        }
    }
}

/// The name of an app, category or web domain, in a program that may see names: a report, a shield
/// configuration, and an app with data access. In other programs a placeholder such as "App".
///
/// On iOS another process draws the name. Here the program renders it itself, so it can read whatever it can
/// display.
@MainActor public struct FamilyActivityTitleView: View, Sendable {
    let token: ShownToken

    nonisolated init(_ token: ShownToken) { self.token = token }

    public var body: some View { Text(verbatim: token.describe().name) }
}

/// An icon of the kind: app, category or web domain. App icons belong to the theme of the desktop that
/// displays the page, so they are not used here.
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
