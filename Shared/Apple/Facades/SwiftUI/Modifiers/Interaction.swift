public import Foundation
public import UIKit

/// Interaction and animation. None of it occurs while a page is rendered, so most of these return the view
/// unchanged.
nonisolated extension View {
    /// Ignored: there is no interaction.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }
    /// Ignored: there is no interaction.
    public func onTapGesture(
        count: Int = 1, coordinateSpace: CoordinateSpace = .local, perform action: @escaping (CGPoint) -> Void
    ) -> some View { self }
    /// Ignored: there is no interaction.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { self }
    /// Ignored: there is no interaction.
    public func gesture<T: Gesture>(_ gesture: T) -> some View { self }
    /// Ignored: there is no interaction.
    public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View { self }
    /// Ignored: there is no interaction.
    public func highPriorityGesture<T: Gesture>(_ gesture: T) -> some View { self }
    /// Ignored: there is no interaction.
    public func allowsHitTesting(_ enabled: Bool) -> some View { self }
    /// Ignored: there is no interaction.
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { self }
    /// Ignored: there is no interaction.
    public func contentShape<S: Shape>(_ kind: ContentShapeKinds, _ shape: S, eoFill: Bool = false)
        -> some View
    {
        self
    }
    /// Ignored: there is no interaction.
    public func onHover(perform action: @escaping (Bool) -> Void) -> some View { self }
    /// Ignored: there is no interaction.
    public func hoverEffect(_ effect: HoverEffect = .automatic) -> some View { self }
    /// Ignored: there is no interaction.
    public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
    /// Ignored: there is no interaction.
    public func submitLabel(_ label: SubmitLabel) -> some View { self }
    /// Ignored: there is no interaction.
    public func focused<V: Hashable>(_ binding: FocusState<V>.Binding, equals value: V) -> some View { self }
    /// Ignored: there is no interaction.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
    /// Ignored: there is no interaction.
    public func focusable(_ isFocusable: Bool = true) -> some View { self }
    /// Ignored: there is no interaction.
    public func keyboardType(_ type: UIKeyboardType) -> some View { self }
    /// Ignored: there is no interaction.
    public func textContentType(_ type: UITextContentType?) -> some View { self }
    /// Ignored: there is no interaction.
    public func textInputAutocapitalization(_ capitalization: TextInputAutocapitalization?) -> some View {
        self
    }
    /// Ignored: there is no interaction.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
    /// Ignored: there is no interaction.
    public func disableAutocorrection(_ disable: Bool?) -> some View { self }
    /// Ignored: there is no interaction.
    public func autocapitalization(_ style: UITextAutocapitalizationType) -> some View { self }
    /// Ignored: there is no interaction.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
    /// Ignored: there is no interaction.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    /// Ignored: there is no interaction.
    public func moveDisabled(_ isDisabled: Bool) -> some View { self }
    /// Ignored: there is no interaction.
    public func deleteDisabled(_ isDisabled: Bool) -> some View { self }
    /// Shows a tooltip.
    public func help(_ text: String) -> some View { node { node, _ in node.with("title", text) } }

    /// Ignored: there are no animations.
    public func animation(_ animation: Animation?) -> some View { self }
    /// Ignored: there are no animations.
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
    /// Ignored: there are no animations.
    public func transition(_ transition: AnyTransition) -> some View { self }
    /// Ignored: there are no animations.
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View { self }
    /// Ignored: there are no animations.
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
    /// Ignored: there are no animations.
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center, isSource: Bool = true
    ) -> some View { self }
    /// Ignored: there are no animations.
    public func matchedTransitionSource<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View {
        self
    }
    /// Ignored: there are no animations.
    public func symbolEffect<E>(_ effect: E, isActive: Bool = true) -> some View where E: SymbolEffect {
        self
    }
    /// Ignored: there are no animations.
    public func symbolEffect<E, V: Equatable>(_ effect: E, value: V) -> some View where E: SymbolEffect {
        self
    }
    /// Ignored: there are no animations.
    public func symbolEffectsRemoved(_ isEnabled: Bool = true) -> some View { self }
    /// Ignored: there is no haptic feedback.
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
    /// Has no effect here.
    public func geometryGroup() -> some View { self }

    /// Sets the identity of the view, which tags and `ScrollViewProxy` use.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        Paired(content: self, other: AnyHashable(id)) { view, id, context in
            context.nodes(of: view, at: "#\(id)").map { node in
                var node = node
                node.traits.id = id
                return node
            }
        }
    }
    /// Renders the view in this scheme, whatever the browser prefers.
    public func preferredColorScheme(_ scheme: ColorScheme?) -> some View { self.scheme(scheme) }
    /// Renders the view in this scheme, whatever the browser prefers.
    public func colorScheme(_ scheme: ColorScheme) -> some View { self.scheme(scheme) }
    private func scheme(_ scheme: ColorScheme?) -> some View {
        values { if let scheme { $0.colorScheme = scheme } }.node { node, _ in
            guard let scheme else { return node }
            return RenderNode.box(
                node,
                [
                    "color-scheme": scheme == .dark ? "dark" : "light", "color": Color.label.css,
                    "background": "light-dark(#f2f2f7,#000)",
                ]
            ).solid(like: node)
        }
    }
    /// Replaces texts inside by gray bars.
    public func redacted(reason: RedactionReasons) -> some View {
        values { $0.redactionReasons.formUnion(reason) }
    }
    /// Shows texts inside again.
    public func unredacted() -> some View { values { $0.redactionReasons = [] } }
    /// Has no effect: the page is for the person whose data it shows.
    public func privacySensitive(_ sensitive: Bool = true) -> some View { self }
    /// Adds a translucent background that blurs what is behind. `glass` is ignored.
    public func glassEffect<S: Shape>(_ glass: Glass = .regular, in shape: S) -> some View {
        background(.thinMaterial, in: shape)
    }
    /// The same with a capsule.
    public func glassEffect(_ glass: Glass = .regular) -> some View { glassEffect(glass, in: Capsule()) }
    /// Ignored: there is no canvas.
    public func previewDisplayName(_ value: String?) -> some View { self }
    /// Ignored: there is no canvas.
    public func previewLayout(_ value: PreviewLayout) -> some View { self }
    /// Ignored: there is no canvas.
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
    /// Has no effect here.
    public func visualEffect<E: VisualEffect>(
        _ effect: @escaping @Sendable (EmptyVisualEffect, GeometryProxy) -> E
    ) -> some View { self }
}

/// A material of iOS 26. All kinds look alike here.
nonisolated public struct Glass: Equatable, Sendable {
    private let name: String
    /// Has no effect here.
    public static let regular = Glass(name: "regular")
    /// Has no effect here.
    public static let clear = Glass(name: "clear")
    /// Has no effect here.
    public static let identity = Glass(name: "identity")
    /// Has no effect here.
    public func tint(_ color: Color?) -> Glass { self }
    /// Has no effect here.
    public func interactive(_ isEnabled: Bool = true) -> Glass { self }
}
/// Several glass effects that would merge. Rendered separately.
nonisolated public struct GlassEffectContainer<Content: View>: View {
    let content: Content
    /// The spacing is ignored.
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View { content }
}
/// What the shape of a view applies to. Ignored.
nonisolated public struct ContentShapeKinds: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: Int
    /// Unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let interaction = ContentShapeKinds(rawValue: 1)
    public static let dragPreview = ContentShapeKinds(rawValue: 2)
    public static let contextMenuPreview = ContentShapeKinds(rawValue: 4)
    public static let hoverEffect = ContentShapeKinds(rawValue: 8)
    public static let accessibility = ContentShapeKinds(rawValue: 16)
}
/// Ignored: there is no pointer.
nonisolated public struct HoverEffect: Sendable {
    private let name: String
    public static let automatic = HoverEffect(name: "automatic")
    public static let highlight = HoverEffect(name: "highlight")
    public static let lift = HoverEffect(name: "lift")
}
/// Ignored: there is no keyboard.
nonisolated public struct SubmitLabel: Sendable {
    private let name: String
    public static let done = SubmitLabel(name: "done")
    public static let go = SubmitLabel(name: "go")
    public static let send = SubmitLabel(name: "send")
    public static let join = SubmitLabel(name: "join")
    public static let route = SubmitLabel(name: "route")
    public static let search = SubmitLabel(name: "search")
    public static let `return` = SubmitLabel(name: "return")
    public static let next = SubmitLabel(name: "next")
    public static let `continue` = SubmitLabel(name: "continue")
}
/// Ignored: there is no keyboard.
nonisolated public struct TextInputAutocapitalization: Sendable {
    private let name: String
    public static let never = TextInputAutocapitalization(name: "never")
    public static let words = TextInputAutocapitalization(name: "words")
    public static let sentences = TextInputAutocapitalization(name: "sentences")
    public static let characters = TextInputAutocapitalization(name: "characters")
}
/// Ignored: there are no animations.
nonisolated public struct MatchedGeometryProperties: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt32
    /// Unknown bits are ignored.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let position = MatchedGeometryProperties(rawValue: 1)
    public static let size = MatchedGeometryProperties(rawValue: 2)
    public static let frame = MatchedGeometryProperties(rawValue: 3)
}
/// Ignored: there is no canvas.
nonisolated public enum PreviewLayout: Sendable {
    case device
    case sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}
/// Ignored: there is no canvas.
nonisolated public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// As the program passed it.
    public let rawValue: String
    /// Accepts any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}
