public import Foundation

/// Actions that views can request of their container. They can be called but do nothing on a page; readers
/// open links themselves.
package struct ActionValues {
    /// The handler set with `environment(\.openURL, …)`. Nil if there is none.
    package var openURL: OpenURLAction?
}

/// Closes the presentation of the view. Does nothing on a page.
nonisolated public struct DismissAction {
    /// Does nothing.
    @MainActor public func callAsFunction() {}
}
/// Ends a search. Does nothing on a page.
nonisolated public struct DismissSearchAction {
    /// Does nothing.
    @MainActor public func callAsFunction() {}
}
/// Calls the action of `refreshable`.
nonisolated public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void
    /// Never called here: ``EnvironmentValues/refresh`` is nil.
    public func callAsFunction() async { await action() }
}

/// Opens a URL through the handler set with `environment(\.openURL, …)`.
nonisolated public struct OpenURLAction {
    /// How a handler treated a request.
    nonisolated public struct Result: Sendable {
        let isHandled: Bool
        /// The handler opened the URL.
        public static let handled = Result(isHandled: true)
        /// The handler refused the URL.
        public static let discarded = Result(isHandled: true)
        /// The system should open the URL. Nothing is opened here.
        public static let systemAction = Result(isHandled: false)
        /// The same; the other URL is ignored.
        public static func systemAction(_ url: URL) -> Result { systemAction }
    }
    let handler: (URL) -> Result
    /// - Parameter handler: called for each request.
    public init(handler: @escaping (URL) -> Result) { self.handler = handler }
    /// Calls the handler; the result is ignored.
    public func callAsFunction(_ url: URL) { _ = handler(url) }
    /// - Parameter completion: called at once, with false for `systemAction`.
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) {
        completion(handler(url).isHandled)
    }
}

/// Opens a window of the app. Does nothing on a page.
nonisolated public struct OpenWindowAction {
    /// Does nothing.
    public func callAsFunction(id: String) {}
    /// Does nothing.
    public func callAsFunction<D: Codable & Hashable>(value: D) {}
    /// Does nothing.
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {}
}

/// Whether the view is presented, and how to end that.
nonisolated public struct PresentationMode {
    /// Always false.
    public var isPresented: Bool { false }
    /// Does nothing.
    public mutating func dismiss() {}
}

/// Whether the elements of a view can be edited.
nonisolated public enum EditMode: Hashable, Sendable {
    case inactive
    case transient
    case active
    /// False unless the program sets another mode.
    public var isEditing: Bool { self != .inactive }
}

nonisolated extension EnvironmentValues {
    /// Does nothing when called.
    public var dismiss: DismissAction { DismissAction() }
    /// Does nothing when called.
    public var dismissSearch: DismissSearchAction { DismissSearchAction() }
    /// Does nothing when called.
    public var openWindow: OpenWindowAction { OpenWindowAction() }
    /// Always nil.
    public var refresh: RefreshAction? { nil }
    /// A constant that is not presented.
    public var presentationMode: Binding<PresentationMode> { .constant(PresentationMode()) }
    /// Always inactive; setting it has no effect.
    public var editMode: Binding<EditMode>? {
        get { .constant(.inactive) }
        set {}
    }
    /// Opens a URL. Without a handler the result is false, because nobody is viewing the page yet.
    public var openURL: OpenURLAction {
        get { actions.openURL ?? OpenURLAction { _ in .systemAction } }
        set { actions.openURL = newValue }
    }
}
