/// Defines how buttons look.
@MainActor @preconcurrency public protocol ButtonStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ButtonStyleConfiguration
}

/// Defines how buttons look and act.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = PrimitiveButtonStyleConfiguration
}

/// The purpose of a button.
nonisolated public struct ButtonRole: Equatable, Sendable {
    private let name: String
    /// Rendered in red by the built-in styles.
    public static let destructive = ButtonRole(name: "destructive")
    /// Not rendered differently.
    public static let cancel = ButtonRole(name: "cancel")
    /// Not rendered differently.
    public static let close = ButtonRole(name: "close")
    /// Not rendered differently.
    public static let confirm = ButtonRole(name: "confirm")
}

/// The parts of a button that a style arranges.
nonisolated public struct ButtonStyleConfiguration {
    /// The label of the button.
    nonisolated public struct Label: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "label")
        }
    }
    /// Nil for ordinary buttons.
    public let role: ButtonRole?
    /// As the program passed it.
    public let label: Label
    /// Always false: buttons are not pressed while a page is rendered.
    public let isPressed: Bool
}

/// The parts of a button that a style arranges.
nonisolated public struct PrimitiveButtonStyleConfiguration {
    /// The label of the button.
    public typealias Label = ButtonStyleConfiguration.Label
    /// Nil for ordinary buttons.
    public let role: ButtonRole?
    /// As the program passed it.
    public let label: Label
    let action: @MainActor () -> Void
    /// Calls the action of the button. Nothing here calls it.
    @MainActor public func trigger() { action() }
}

/// Defines how labels look.
@MainActor @preconcurrency public protocol LabelStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = LabelStyleConfiguration
}

/// The parts of a label that a style arranges.
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
    /// As the program passed it.
    public let title: Title
    /// As the program passed it.
    public let icon: Icon
}
