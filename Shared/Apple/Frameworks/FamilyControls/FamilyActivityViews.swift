internal import Contract
internal import ExtensionLink
internal import ManagedSettings
public import SwiftUI

/// What a token names, for the person's eyes.
struct ShownToken: Sendable {
    var kind: TokenKind
    var wireText: String

    /// Asks the host; where the program may not see names it is called by its kind, and a token that cannot
    /// be read is said to be one.
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
/// configuration, and an app that the person gave access to them. In others its kind.
///
/// On iOS the name is drawn by another process. Here a program draws for itself: what it can draw it can
/// read.
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
