/// Items of a bar.
@MainActor @preconcurrency public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: ToolbarContent {}
extension ToolbarContent where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is a primitive view and has no body.")
    }
}

/// An item with its placement in a bar.
struct ToolbarEntry {
    var placement: ToolbarItemPlacement
    var view: AnyView
}
/// Items that this module renders itself.
protocol PrimitiveToolbarContent { @MainActor var entries: [ToolbarEntry] { get } }
extension ToolbarContent {
    var toolbarItems: [ToolbarEntry] {
        (self as? any PrimitiveToolbarContent)?.entries ?? body.toolbarItems
    }
}

/// A view in a bar.
nonisolated public struct ToolbarItem<ID, Content: View>: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content
    var entries: [ToolbarEntry] { [ToolbarEntry(placement: placement, view: AnyView(content))] }
}
nonisolated extension ToolbarItem where ID == () {
    /// - Parameter placement: decides between the bar above and the bar below the content.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
}
nonisolated extension ToolbarItem where ID == String {
    /// The same; the identifier is ignored because bars cannot be customized.
    public init(id: String, placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content)
    {
        self.placement = placement
        self.content = content()
    }
}
/// Several views in a bar.
nonisolated public struct ToolbarItemGroup<Content: View>: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content
    /// - Parameter placement: decides between the bar above and the bar below the content.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    var entries: [ToolbarEntry] { [ToolbarEntry(placement: placement, view: AnyView(content))] }
}
/// Space between the items of a bar. Ignored.
nonisolated public struct ToolbarSpacer: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    /// Renders nothing.
    public init(_ sizing: SpacerSizing = .flexible, placement: ToolbarItemPlacement = .automatic) {}
    var entries: [ToolbarEntry] { [] }
}
/// Whether a spacer grows. Ignored.
nonisolated public struct SpacerSizing: Hashable, Sendable {
    private let name: String
    public static let flexible = SpacerSizing(name: "flexible")
    public static let fixed = SpacerSizing(name: "fixed")
}
extension Optional: ToolbarContent where Wrapped: ToolbarContent {}
extension Optional: PrimitiveToolbarContent where Wrapped: ToolbarContent {
    @MainActor var entries: [ToolbarEntry] { self?.toolbarItems ?? [] }
}
/// Several items, as `ToolbarContentBuilder` combines them.
nonisolated public struct _ToolbarItems: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    let entries: [ToolbarEntry]
}
/// Builds the items of a bar from a closure.
@MainActor @resultBuilder public struct ToolbarContentBuilder {
    public static func buildExpression<C: ToolbarContent>(_ content: C) -> C { content }
    public static func buildBlock<C: ToolbarContent>(_ content: C) -> C { content }
    public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> _ToolbarItems {
        var entries: [ToolbarEntry] = []
        for item in repeat each content { entries += item.toolbarItems }
        return _ToolbarItems(entries: entries)
    }
    public static func buildIf<C: ToolbarContent>(_ content: C?) -> C? { content }
    public static func buildEither<C: ToolbarContent>(first: C) -> _ToolbarItems {
        _ToolbarItems(entries: first.toolbarItems)
    }
    public static func buildEither<C: ToolbarContent>(second: C) -> _ToolbarItems {
        _ToolbarItems(entries: second.toolbarItems)
    }
    public static func buildLimitedAvailability<C: ToolbarContent>(_ content: C) -> _ToolbarItems {
        _ToolbarItems(entries: content.toolbarItems)
    }
}

/// Where an item appears. `bottomBar`, `keyboard` and `status` are below the content, all others above it.
nonisolated public struct ToolbarItemPlacement: Hashable, Sendable {
    private let name: String
    /// In the bar above the content.
    public static let automatic = ToolbarItemPlacement(name: "automatic")
    /// In the bar above the content.
    public static let principal = ToolbarItemPlacement(name: "principal")
    /// In the bar above the content.
    public static let navigation = ToolbarItemPlacement(name: "navigation")
    /// In the bar above the content.
    public static let primaryAction = ToolbarItemPlacement(name: "primaryAction")
    /// In the bar above the content.
    public static let secondaryAction = ToolbarItemPlacement(name: "secondaryAction")
    /// In the bar below the content.
    public static let status = ToolbarItemPlacement(name: "status")
    /// In the bar above the content.
    public static let confirmationAction = ToolbarItemPlacement(name: "confirmationAction")
    /// In the bar above the content.
    public static let cancellationAction = ToolbarItemPlacement(name: "cancellationAction")
    /// In the bar above the content.
    public static let destructiveAction = ToolbarItemPlacement(name: "destructiveAction")
    /// In the bar below the content.
    public static let keyboard = ToolbarItemPlacement(name: "keyboard")
    /// In the bar above the content.
    public static let topBarLeading = ToolbarItemPlacement(name: "topBarLeading")
    /// In the bar above the content.
    public static let topBarTrailing = ToolbarItemPlacement(name: "topBarTrailing")
    /// In the bar above the content.
    public static let navigationBarLeading = ToolbarItemPlacement(name: "navigationBarLeading")
    /// In the bar above the content.
    public static let navigationBarTrailing = ToolbarItemPlacement(name: "navigationBarTrailing")
    /// In the bar below the content.
    public static let bottomBar = ToolbarItemPlacement(name: "bottomBar")
}
/// A bar. Ignored where it is passed.
nonisolated public struct ToolbarPlacement: Hashable, Sendable {
    private let name: String
    public static let automatic = ToolbarPlacement(name: "automatic")
    public static let navigationBar = ToolbarPlacement(name: "navigationBar")
    public static let tabBar = ToolbarPlacement(name: "tabBar")
    public static let bottomBar = ToolbarPlacement(name: "bottomBar")
}
/// An item that bars have by default. Ignored.
nonisolated public struct ToolbarDefaultItemKind: Hashable, Sendable {
    private let name: String
    public static let title = ToolbarDefaultItemKind(name: "title")
    public static let sidebarToggle = ToolbarDefaultItemKind(name: "sidebarToggle")
}
/// How a bar shows its title. Ignored.
nonisolated public struct ToolbarTitleDisplayMode: Sendable {
    private let name: String
    public static let automatic = ToolbarTitleDisplayMode(name: "automatic")
    public static let inline = ToolbarTitleDisplayMode(name: "inline")
    public static let inlineLarge = ToolbarTitleDisplayMode(name: "inlineLarge")
    public static let large = ToolbarTitleDisplayMode(name: "large")
}
/// The purpose of a bar. Ignored.
nonisolated public struct ToolbarRole: Sendable {
    private let name: String
    public static let automatic = ToolbarRole(name: "automatic")
    public static let editor = ToolbarRole(name: "editor")
    public static let browser = ToolbarRole(name: "browser")
    public static let navigationStack = ToolbarRole(name: "navigationStack")
}
