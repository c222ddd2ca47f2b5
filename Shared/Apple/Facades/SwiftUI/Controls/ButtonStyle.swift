/// How buttons look.
@MainActor @preconcurrency public protocol ButtonStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ButtonStyleConfiguration
}

/// How buttons look and act.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = PrimitiveButtonStyleConfiguration
}

/// What a button is for.
nonisolated public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
    public static let close = ButtonRole(name: "close")
    public static let confirm = ButtonRole(name: "confirm")
}

/// A button as a style sees it.
nonisolated public struct ButtonStyleConfiguration {
    /// The label of the button.
    nonisolated public struct Label: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "label")
        }
    }
    public let role: ButtonRole?
    public let label: Label
    /// Always false: nobody presses while a page is drawn.
    public let isPressed: Bool
}

/// A button as a style sees it.
nonisolated public struct PrimitiveButtonStyleConfiguration {
    /// The label of the button.
    public typealias Label = ButtonStyleConfiguration.Label
    public let role: ButtonRole?
    public let label: Label
    let action: @MainActor () -> Void
    /// Runs the action of the button.
    @MainActor public func trigger() { action() }
}

/// How labels look.
@MainActor @preconcurrency public protocol LabelStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = LabelStyleConfiguration
}

/// A label as a style sees it.
nonisolated public struct LabelStyleConfiguration {
    /// The text of the label.
    nonisolated public struct Title: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "title")
        }
    }
    /// The image of the label.
    nonisolated public struct Icon: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "icon")
        }
    }
    public let title: Title
    public let icon: Icon
}
