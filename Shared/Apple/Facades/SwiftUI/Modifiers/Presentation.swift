public import Foundation

/// Presentations. A view that is presented initially is rendered as a box below the presenting view; later
/// presentations do not occur.
nonisolated extension View {
    private func presented<V: View>(_ isPresented: Bool, _ content: @escaping () -> V) -> some View {
        Paired(content: self, other: (isPresented, content)) { view, other, context in
            let nodes = context.nodes(of: view, at: "under")
            guard other.0 else { return nodes }
            var inner = context
            inner.axis = nil
            inner.environment.isPresented = true
            var box = RenderNode.box(
                inner.node(of: other.1(), at: "over"),
                ["background": "light-dark(#fff,#1c1c1e)", "border-radius": "14px", "padding": "16px"])
            box.style["box-shadow"] = "0 8px 30px rgba(0,0,0,.22)"
            box[attribute: "role"] = "dialog"
            return [.stack(nodes + [box.growing(width: true)], axis: .vertical, gap: 16, cross: "center")]
        }
    }
    /// Renders the content as a box below the view if `isPresented` is true. `onDismiss` is never called.
    public func sheet<V: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> V
    ) -> some View { presented(isPresented.wrappedValue, content) }
    /// Renders the content as a box below the view if `item` is not nil. `onDismiss` is never called.
    public func sheet<Item: Identifiable, V: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> V
    ) -> some View {
        let value = item.wrappedValue
        return presented(value != nil) { value.map(content) }
    }
    /// Renders the content as a box below the view if `isPresented` is true. `onDismiss` is never called.
    public func fullScreenCover<V: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> V
    ) -> some View { presented(isPresented.wrappedValue, content) }
    /// Renders the content as a box below the view if `item` is not nil. `onDismiss` is never called.
    public func fullScreenCover<Item: Identifiable, V: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> V
    ) -> some View {
        let value = item.wrappedValue
        return presented(value != nil) { value.map(content) }
    }
    /// Renders the content as a box below the view if `isPresented` is true. The anchor is ignored.
    public func popover<V: View>(
        isPresented: Binding<Bool>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds),
        arrowEdge: Edge = .top, @ViewBuilder content: @escaping () -> V
    ) -> some View { presented(isPresented.wrappedValue, content) }

    private func asked<A: View, M: View>(
        _ isPresented: Bool, _ title: Text, _ actions: @escaping () -> A, _ message: @escaping () -> M
    ) -> some View {
        presented(isPresented) {
            VStack(spacing: 12) {
                title.font(.headline)
                message().font(.footnote).multilineTextAlignment(.center)
                actions()
            }
        }
    }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View { asked(isPresented.wrappedValue, Text(titleKey), actions) { EmptyView() } }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View { asked(isPresented.wrappedValue, Text(title), actions) { EmptyView() } }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View { asked(isPresented.wrappedValue, Text(titleKey), actions, message) }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View { asked(isPresented.wrappedValue, Text(title), actions, message) }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    public func alert<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View { asked(isPresented.wrappedValue, title, actions, message) }
    /// The same, if `data` is not nil either.
    public func alert<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        asked(isPresented.wrappedValue && data != nil, Text(titleKey)) {
            data.map(actions)
        } _: {
            data.map(message)
        }
    }
    /// The same with the description of the error as its title.
    public func alert<E: LocalizedError, A: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        let words = Text(error?.errorDescription ?? "")
        return asked(isPresented.wrappedValue && error != nil, words, actions) { EmptyView() }
    }
    /// The same in the older form.
    public func alert(isPresented: Binding<Bool>, content: @escaping () -> Alert) -> some View {
        presented(isPresented.wrappedValue) { content().view }
    }
    /// The same in the older form.
    public func alert<Item: Identifiable>(
        item: Binding<Item?>, content: @escaping (Item) -> Alert
    ) -> some View {
        let value = item.wrappedValue
        return presented(value != nil) { value.map { content($0).view } }
    }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View { asked(isPresented.wrappedValue, Text(titleKey), actions) { EmptyView() } }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View { asked(isPresented.wrappedValue, Text(title), actions) { EmptyView() } }
    /// Renders title, message and buttons below the view if `isPresented` is true. The buttons do nothing.
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View { asked(isPresented.wrappedValue, Text(titleKey), actions, message) }
    /// Has no effect: a page has no gesture that opens it.
    public func contextMenu<V: View>(@ViewBuilder menuItems: () -> V) -> some View { self }
    /// Ignored: a page has no such gesture.
    public func swipeActions<V: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> V
    ) -> some View { self }
    /// Has no effect here.
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
    /// Has no effect here.
    public func presentationDetents(
        _ detents: Set<PresentationDetent>, selection: Binding<PresentationDetent>
    ) -> some View { self }
    /// Has no effect here.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    public func presentationCornerRadius(_ radius: CGFloat?) -> some View { self }
    /// Fills the area behind the presented view.
    public func presentationBackground<S: ShapeStyle>(_ style: S) -> some View { background(style) }
    /// Has no effect here.
    public func presentationBackgroundInteraction(_ interaction: PresentationBackgroundInteraction)
        -> some View
    {
        self
    }
    /// Has no effect here.
    public func presentationCompactAdaptation(_ adaptation: PresentationAdaptation) -> some View { self }
    /// Has no effect here.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }
    /// Adds a read-only search field above the view. The placement is ignored.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        VStack(spacing: 8) {
            HStack(spacing: 6) {
                Image(systemName: "magnifyingglass").foregroundStyle(Color.secondary)
                TextField(text: text, prompt: prompt) { Text("Search") }
            }
            .padding(.horizontal, 10).padding(.vertical, 7)
            .background(FillShapeStyle(), in: RoundedRectangle(cornerRadius: 10)).padding(.horizontal)
            self
        }
    }
    /// The same with a localized prompt.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View { searchable(text: text, placement: placement, prompt: Text(prompt)) }
    /// The same with a prompt that is not localized.
    @_disfavoredOverload
    public func searchable<S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View { searchable(text: text, placement: placement, prompt: Text(prompt)) }
}

/// A question in the older form.
nonisolated public struct Alert {
    /// A button of an alert.
    nonisolated public struct Button {
        let title: Text
        let role: ButtonRole?
        /// The action is never called.
        public static func `default`(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(title: label, role: nil)
        }
        /// The action is never called.
        public static func cancel(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(title: label, role: .cancel)
        }
        /// The action is never called.
        public static func cancel(_ action: (() -> Void)? = {}) -> Button {
            Button(title: Text("Cancel"), role: .cancel)
        }
        /// The action is never called.
        public static func destructive(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(title: label, role: .destructive)
        }
    }
    let title: Text
    let message: Text?
    let buttons: [Button]
    /// Without a button the alert has "OK".
    public init(title: Text, message: Text? = nil, dismissButton: Button? = nil) {
        self.title = title
        self.message = message
        buttons = [dismissButton ?? .default(Text("OK"))]
    }
    /// Both buttons in a row.
    public init(title: Text, message: Text? = nil, primaryButton: Button, secondaryButton: Button) {
        self.title = title
        self.message = message
        buttons = [primaryButton, secondaryButton]
    }
    var view: some View {
        VStack(spacing: 12) {
            title.font(.headline)
            message?.font(.footnote).multilineTextAlignment(.center)
            HStack(spacing: 24) {
                ForEach(buttons.indices, id: \.self) { index in
                    SwiftUI.Button(role: buttons[index].role, action: {}, label: { buttons[index].title })
                }
            }
        }
    }
}

/// The height of a sheet. Ignored.
nonisolated public struct PresentationDetent: Hashable, Sendable {
    private let name: String
    public static let medium = PresentationDetent(name: "medium")
    public static let large = PresentationDetent(name: "large")
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "\(height)")
    }
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "\(fraction) of all")
    }
}
/// Whether views below a sheet can be used. Ignored.
nonisolated public struct PresentationBackgroundInteraction: Sendable {
    private let name: String
    public static let automatic = PresentationBackgroundInteraction(name: "automatic")
    public static let enabled = PresentationBackgroundInteraction(name: "enabled")
    public static let disabled = PresentationBackgroundInteraction(name: "disabled")
}
/// What a popover becomes in little space. Ignored.
nonisolated public struct PresentationAdaptation: Sendable {
    private let name: String
    public static let automatic = PresentationAdaptation(name: "automatic")
    public static let none = PresentationAdaptation(name: "none")
    public static let popover = PresentationAdaptation(name: "popover")
    public static let sheet = PresentationAdaptation(name: "sheet")
    public static let fullScreenCover = PresentationAdaptation(name: "fullScreenCover")
}
/// Where a popover points. Ignored.
nonisolated public enum PopoverAttachmentAnchor: Sendable {
    nonisolated public enum Source: Sendable { case bounds }
    case rect(Source)
    case point(UnitPoint)
}
/// Where a search field appears. Ignored: it is above the view.
nonisolated public struct SearchFieldPlacement: Sendable {
    private let name: String
    public static let automatic = SearchFieldPlacement(name: "automatic")
    public static let toolbar = SearchFieldPlacement(name: "toolbar")
    public static let sidebar = SearchFieldPlacement(name: "sidebar")
    public static let navigationBarDrawer = SearchFieldPlacement(name: "navigationBarDrawer")
    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode)
        -> SearchFieldPlacement
    {
        navigationBarDrawer
    }
    nonisolated public enum NavigationBarDrawerDisplayMode: Sendable {
        case automatic
        case always
    }
}
