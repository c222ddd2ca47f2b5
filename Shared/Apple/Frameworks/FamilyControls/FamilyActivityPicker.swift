internal import Contract
internal import ManagedSettings
public import SwiftUI

/// Shows a selection by name, read-only.
///
/// A rendered page has no interactive picker, so nothing can be chosen in it; `selection` never changes. The
/// person chooses with `screentime selection create|edit`, and the app reads the result with
/// ``FamilyActivitySelection/saved(named:)``.
@MainActor public struct FamilyActivityPicker: View, Sendable {
    private let header: String?
    private let footer: String?
    private let selection: FamilyActivitySelection

    /// Without header and footer. - Parameter selection: read once; never written.
    public init(selection: Binding<FamilyActivitySelection>) {
        self.init(headerText: nil, footerText: nil, selection: selection)
    }

    /// - Parameters:
    ///   - headerText: shown above the list in the headline font.
    ///   - footerText: shown below the list in the footnote font.
    ///   - selection: read once; never written.
    public init(
        headerText: String? = nil, footerText: String? = nil, selection: Binding<FamilyActivitySelection>
    ) {
        header = headerText
        footer = footerText
        self.selection = selection.wrappedValue
    }

    public var body: some View {
        VStack(alignment: .leading) {
            if let header { Text(verbatim: header).font(.headline) }
            ForEach(Self.inOrder(selection.categoryTokens), id: \.self) { Self.row(.category, $0.wireText) }
            ForEach(Self.inOrder(selection.applicationTokens), id: \.self) { Self.row(.app, $0.wireText) }
            ForEach(Self.inOrder(selection.webDomainTokens), id: \.self) { Self.row(.domain, $0.wireText) }
            if selection == FamilyActivitySelection(includeEntireCategory: selection.includeEntireCategory) {
                Text(verbatim: "Nothing is chosen.")
            }
            if let footer { Text(verbatim: footer).font(.footnote) }
        }
    }

    private static func row(_ kind: TokenKind, _ token: String) -> some View {
        HStack {
            FamilyActivityIconView(ShownToken(kind: kind, wireText: token))
            FamilyActivityTitleView(ShownToken(kind: kind, wireText: token))
        }
    }

    private static func inOrder<T>(_ tokens: Set<Token<T>>) -> [Token<T>] {
        tokens.sorted { $0.data.lexicographicallyPrecedes($1.data) }
    }
}

extension View {
    /// Shows the present selection below the view while `isPresented` is true. See ``FamilyActivityPicker``.
    @MainActor public func familyActivityPicker(
        isPresented: Binding<Bool>, selection: Binding<FamilyActivitySelection>
    ) -> some View {
        familyActivityPicker(title: nil, isPresented: isPresented, selection: selection)
    }

    /// The same, with a header and a footer.
    @MainActor public func familyActivityPicker(
        headerText: String? = nil, footerText: String? = nil, isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        familyActivityPicker(
            title: nil, headerText: headerText, footerText: footerText, isPresented: isPresented,
            selection: selection)
    }

    /// The same, with a title.
    @MainActor public func familyActivityPicker(
        title: String?, headerText: String? = nil, footerText: String? = nil, isPresented: Binding<Bool>,
        selection: Binding<FamilyActivitySelection>
    ) -> some View {
        VStack(alignment: .leading) {
            self
            if isPresented.wrappedValue {
                if let title { Text(verbatim: title).font(.title) }
                FamilyActivityPicker(headerText: headerText, footerText: footerText, selection: selection)
            }
        }
    }
}
