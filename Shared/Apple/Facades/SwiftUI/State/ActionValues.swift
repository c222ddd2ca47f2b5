public import Foundation

/// What views can ask of what surrounds them. A page has nothing to close or to open, so these do nothing but
/// can be called; links of a page are opened by the reader.
package struct ActionValues {
    package var openURL: OpenURLAction?
}

/// Closes what shows the view. A page stays.
nonisolated public struct DismissAction {
    @MainActor public func callAsFunction() {}
}
/// Closes a search. A page has none.
nonisolated public struct DismissSearchAction {
    @MainActor public func callAsFunction() {}
}
/// Runs the action of `refreshable`.
nonisolated public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void
    public func callAsFunction() async { await action() }
}

/// Opens a web page, as a handler set with `environment(\.openURL, …)` does it.
nonisolated public struct OpenURLAction {
    /// What became of a request.
    nonisolated public struct Result: Sendable {
        let isHandled: Bool
        public static let handled = Result(isHandled: true)
        public static let discarded = Result(isHandled: true)
        public static let systemAction = Result(isHandled: false)
        public static func systemAction(_ url: URL) -> Result { systemAction }
    }
    let handler: (URL) -> Result
    public init(handler: @escaping (URL) -> Result) { self.handler = handler }
    public func callAsFunction(_ url: URL) { _ = handler(url) }
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) {
        completion(handler(url).isHandled)
    }
}

/// Opens a window of the app. A page has one.
nonisolated public struct OpenWindowAction {
    public func callAsFunction(id: String) {}
    public func callAsFunction<D: Codable & Hashable>(value: D) {}
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {}
}

/// Whether the view is shown over another one, and closes it.
nonisolated public struct PresentationMode {
    public var isPresented: Bool { false }
    public mutating func dismiss() {}
}

/// Whether the elements of a view can be changed.
nonisolated public enum EditMode: Hashable, Sendable {
    case inactive
    case transient
    case active
    public var isEditing: Bool { self != .inactive }
}

nonisolated extension EnvironmentValues {
    public var dismiss: DismissAction { DismissAction() }
    public var dismissSearch: DismissSearchAction { DismissSearchAction() }
    public var openWindow: OpenWindowAction { OpenWindowAction() }
    public var refresh: RefreshAction? { nil }
    public var presentationMode: Binding<PresentationMode> { .constant(PresentationMode()) }
    public var editMode: Binding<EditMode>? {
        get { .constant(.inactive) }
        set {}
    }
    /// Opens a web page. Without a handler of one's own it says false: nobody looks at the page yet.
    public var openURL: OpenURLAction {
        get { actions.openURL ?? OpenURLAction { _ in .systemAction } }
        set { actions.openURL = newValue }
    }
}
