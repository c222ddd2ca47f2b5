/// Items of a bar.
@MainActor @preconcurrency public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: ToolbarContent {}
extension ToolbarContent where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is drawn as it is; it has no body to ask for.")
    }
}

/// An item as a bar draws it.
struct ToolbarEntry {
    var placement: ToolbarItemPlacement
    var view: AnyView
}
/// Items that this module draws itself.
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
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
}
nonisolated extension ToolbarItem where ID == String {
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
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    var entries: [ToolbarEntry] { [ToolbarEntry(placement: placement, view: AnyView(content))] }
}
/// Place between the items of a bar.
nonisolated public struct ToolbarSpacer: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    public init(_ sizing: SpacerSizing = .flexible, placement: ToolbarItemPlacement = .automatic) {}
    var entries: [ToolbarEntry] { [] }
}
/// Whether a spacer grows.
nonisolated public struct SpacerSizing: Hashable, Sendable {
    private let name: String
    public static let flexible = SpacerSizing(name: "flexible")
    public static let fixed = SpacerSizing(name: "fixed")
}
extension Optional: ToolbarContent where Wrapped: ToolbarContent {}
extension Optional: PrimitiveToolbarContent where Wrapped: ToolbarContent {
    @MainActor var entries: [ToolbarEntry] { self?.toolbarItems ?? [] }
}
/// Several items, as `ToolbarContentBuilder` puts them together.
nonisolated public struct _ToolbarItems: ToolbarContent, PrimitiveToolbarContent {
    public typealias Body = Never
    let entries: [ToolbarEntry]
}
/// Builds the items of a bar from the statements of a closure.
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

/// Where an item stands. Bars here have one row: items of the bottom bar stand below the view.
nonisolated public struct ToolbarItemPlacement: Hashable, Sendable {
    private let name: String
    public static let automatic = ToolbarItemPlacement(name: "automatic")
    public static let principal = ToolbarItemPlacement(name: "principal")
    public static let navigation = ToolbarItemPlacement(name: "navigation")
    public static let primaryAction = ToolbarItemPlacement(name: "primaryAction")
    public static let secondaryAction = ToolbarItemPlacement(name: "secondaryAction")
    public static let status = ToolbarItemPlacement(name: "status")
    public static let confirmationAction = ToolbarItemPlacement(name: "confirmationAction")
    public static let cancellationAction = ToolbarItemPlacement(name: "cancellationAction")
    public static let destructiveAction = ToolbarItemPlacement(name: "destructiveAction")
    public static let keyboard = ToolbarItemPlacement(name: "keyboard")
    public static let topBarLeading = ToolbarItemPlacement(name: "topBarLeading")
    public static let topBarTrailing = ToolbarItemPlacement(name: "topBarTrailing")
    public static let navigationBarLeading = ToolbarItemPlacement(name: "navigationBarLeading")
    public static let navigationBarTrailing = ToolbarItemPlacement(name: "navigationBarTrailing")
    public static let bottomBar = ToolbarItemPlacement(name: "bottomBar")
}
/// A bar.
nonisolated public struct ToolbarPlacement: Hashable, Sendable {
    private let name: String
    public static let automatic = ToolbarPlacement(name: "automatic")
    public static let navigationBar = ToolbarPlacement(name: "navigationBar")
    public static let tabBar = ToolbarPlacement(name: "tabBar")
    public static let bottomBar = ToolbarPlacement(name: "bottomBar")
}
/// An item that bars have by themselves.
nonisolated public struct ToolbarDefaultItemKind: Hashable, Sendable {
    private let name: String
    public static let title = ToolbarDefaultItemKind(name: "title")
    public static let sidebarToggle = ToolbarDefaultItemKind(name: "sidebarToggle")
}
/// How a bar shows its title.
nonisolated public struct ToolbarTitleDisplayMode: Sendable {
    private let name: String
    public static let automatic = ToolbarTitleDisplayMode(name: "automatic")
    public static let inline = ToolbarTitleDisplayMode(name: "inline")
    public static let inlineLarge = ToolbarTitleDisplayMode(name: "inlineLarge")
    public static let large = ToolbarTitleDisplayMode(name: "large")
}
/// What a bar is for.
nonisolated public struct ToolbarRole: Sendable {
    private let name: String
    public static let automatic = ToolbarRole(name: "automatic")
    public static let editor = ToolbarRole(name: "editor")
    public static let browser = ToolbarRole(name: "browser")
    public static let navigationStack = ToolbarRole(name: "navigationStack")
}
