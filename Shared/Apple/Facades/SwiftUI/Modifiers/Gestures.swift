public import Foundation

/// Something that fingers do. Nothing touches a page while it is drawn.
@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
}
nonisolated extension Gesture {
    public func onEnded(_ action: @escaping (Value) -> Void) -> _AnyGesture<Value> { _AnyGesture() }
    public func onChanged(_ action: @escaping (Value) -> Void) -> _AnyGesture<Value> { _AnyGesture() }
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> _AnyGesture<Value> { _AnyGesture() }
    public func simultaneously<Other: Gesture>(with other: Other) -> _AnyGesture<Value> { _AnyGesture() }
    public func sequenced<Other: Gesture>(before other: Other) -> _AnyGesture<Value> { _AnyGesture() }
    public func exclusively<Other: Gesture>(before other: Other) -> _AnyGesture<Value> { _AnyGesture() }
}
/// A gesture with its actions.
nonisolated public struct _AnyGesture<Value>: Gesture {}

nonisolated public struct TapGesture: Gesture, Sendable {
    public typealias Value = ()
    public var count: Int
    public init(count: Int = 1) { self.count = count }
}
nonisolated public struct LongPressGesture: Gesture, Sendable {
    public typealias Value = Bool
    /// In seconds.
    public var minimumDuration: Double
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
    }
}
nonisolated public struct DragGesture: Gesture, Sendable {
    nonisolated public struct Value: Equatable, Sendable {
        public var time: Date
        public var location: CGPoint
        public var startLocation: CGPoint
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        public var predictedEndLocation: CGPoint { location }
        public var predictedEndTranslation: CGSize { translation }
        public var velocity: CGSize { .zero }
    }
    /// In points.
    public var minimumDistance: CGFloat
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        self.minimumDistance = minimumDistance
    }
}
nonisolated public struct MagnificationGesture: Gesture, Sendable {
    public typealias Value = CGFloat
    public init(minimumScaleDelta: CGFloat = 0.01) {}
}
nonisolated public struct MagnifyGesture: Gesture, Sendable {
    nonisolated public struct Value: Equatable, Sendable {
        public var magnification: CGFloat
        public var startAnchor: UnitPoint
    }
    public init(minimumScaleDelta: CGFloat = 0.01) {}
}
nonisolated public struct RotationGesture: Gesture, Sendable {
    public typealias Value = Angle
    public init(minimumAngleDelta: Angle = .degrees(1)) {}
}
nonisolated public struct SpatialTapGesture: Gesture, Sendable {
    nonisolated public struct Value: Equatable, Sendable { public var location: CGPoint }
    public init(count: Int = 1) {}
}

/// How views come and go. Pages show the end of each.
nonisolated public struct AnyTransition: Sendable {
    private let name: String
    public static let identity = AnyTransition(name: "identity")
    public static let opacity = AnyTransition(name: "opacity")
    public static let scale = AnyTransition(name: "scale")
    public static let slide = AnyTransition(name: "slide")
    public static let blurReplace = AnyTransition(name: "blurReplace")
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { .scale }
    public static func move(edge: Edge) -> AnyTransition { AnyTransition(name: "move") }
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition(name: "push") }
    public static func offset(_ offset: CGSize) -> AnyTransition { AnyTransition(name: "offset") }
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
        AnyTransition(name: "offset")
    }
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        insertion
    }
    public static func modifier<E: ViewModifier>(active: E, identity: E) -> AnyTransition { .identity }
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}
/// How the content of a view passes over into the next.
nonisolated public struct ContentTransition: Equatable, Sendable {
    private let name: String
    public static let identity = ContentTransition(name: "identity")
    public static let opacity = ContentTransition(name: "opacity")
    public static let interpolate = ContentTransition(name: "interpolate")
    public static let symbolEffect = ContentTransition(name: "symbolEffect")
    public static func numericText(countsDown: Bool = false) -> ContentTransition {
        ContentTransition(name: "numericText")
    }
    public static func numericText(value: Double) -> ContentTransition {
        ContentTransition(name: "numericText")
    }
}
/// What a phone would do to be felt.
nonisolated public struct SensoryFeedback: Equatable, Sendable {
    private let name: String
    public static let success = SensoryFeedback(name: "success")
    public static let warning = SensoryFeedback(name: "warning")
    public static let error = SensoryFeedback(name: "error")
    public static let selection = SensoryFeedback(name: "selection")
    public static let increase = SensoryFeedback(name: "increase")
    public static let decrease = SensoryFeedback(name: "decrease")
    public static let start = SensoryFeedback(name: "start")
    public static let stop = SensoryFeedback(name: "stop")
    public static let alignment = SensoryFeedback(name: "alignment")
    public static let levelChange = SensoryFeedback(name: "levelChange")
    public static let impact = SensoryFeedback(name: "impact")
    public static func impact(weight: Weight = .medium, intensity: Double = 1) -> SensoryFeedback { impact }
    nonisolated public enum Weight: Sendable { case light, medium, heavy }
}
/// How a symbol moves. Symbols of a page stand still.
public protocol SymbolEffect {}
nonisolated public struct _NamedSymbolEffect: SymbolEffect, Sendable {
    public var up: _NamedSymbolEffect { self }
    public var down: _NamedSymbolEffect { self }
    public var byLayer: _NamedSymbolEffect { self }
    public var wholeSymbol: _NamedSymbolEffect { self }
    public var variableColor: _NamedSymbolEffect { self }
    public var iterative: _NamedSymbolEffect { self }
    public var reversing: _NamedSymbolEffect { self }
}
nonisolated extension SymbolEffect where Self == _NamedSymbolEffect {
    public static var bounce: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var pulse: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var scale: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var variableColor: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var wiggle: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var rotate: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var breathe: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var appear: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var disappear: _NamedSymbolEffect { _NamedSymbolEffect() }
}
