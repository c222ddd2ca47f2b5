public import ManagedSettings
public import SwiftUI

extension Label where Title == FamilyActivityTitleView, Icon == FamilyActivityIconView {
    /// The app's name next to an icon of its kind.
    public init(_ applicationToken: ApplicationToken) {
        self.init(ShownToken(kind: .app, wireText: applicationToken.wireText))
    }

    /// The category's name next to an icon of its kind.
    public init(_ categoryToken: ActivityCategoryToken) {
        self.init(ShownToken(kind: .category, wireText: categoryToken.wireText))
    }

    /// The domain next to an icon of its kind.
    public init(_ webDomainToken: WebDomainToken) {
        self.init(ShownToken(kind: .domain, wireText: webDomainToken.wireText))
    }

    private init(_ token: ShownToken) {
        self.init(title: { FamilyActivityTitleView(token) }, icon: { FamilyActivityIconView(token) })
    }
}
