public import Foundation

/// An interaction that a view recognizes. Never occurs: pages are rendered without a user.
@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
}
nonisolated extension Gesture {
    /// The closure is never called.
    public func onEnded(_ action: @escaping (Value) -> Void) -> _AnyGesture<Value> { _AnyGesture() }
    /// The closure is never called.
    public func onChanged(_ action: @escaping (Value) -> Void) -> _AnyGesture<Value> { _AnyGesture() }
    /// The closure is never called; the state keeps its initial value.
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> _AnyGesture<Value> { _AnyGesture() }
    /// Never recognized.
    public func simultaneously<Other: Gesture>(with other: Other) -> _AnyGesture<Value> { _AnyGesture() }
    /// Never recognized.
    public func sequenced<Other: Gesture>(before other: Other) -> _AnyGesture<Value> { _AnyGesture() }
    /// Never recognized.
    public func exclusively<Other: Gesture>(before other: Other) -> _AnyGesture<Value> { _AnyGesture() }
}
/// A gesture with its closures, which are never called.
nonisolated public struct _AnyGesture<Value>: Gesture {}

/// Never recognized.
nonisolated public struct TapGesture: Gesture, Sendable {
    public typealias Value = ()
    /// As the program passed it.
    public var count: Int
    /// - Parameter count: kept only.
    public init(count: Int = 1) { self.count = count }
}
/// Never recognized.
nonisolated public struct LongPressGesture: Gesture, Sendable {
    public typealias Value = Bool
    /// In seconds.
    public var minimumDuration: Double
    /// The distance is ignored.
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
    }
}
/// Never recognized.
nonisolated public struct DragGesture: Gesture, Sendable {
    /// A drag. Never created here.
    nonisolated public struct Value: Equatable, Sendable {
        /// When it was measured.
        public var time: Date
        /// In points.
        public var location: CGPoint
        /// In points.
        public var startLocation: CGPoint
        /// In points.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// The present location.
        public var predictedEndLocation: CGPoint { location }
        /// The present translation.
        public var predictedEndTranslation: CGSize { translation }
        /// Always zero.
        public var velocity: CGSize { .zero }
    }
    /// In points.
    public var minimumDistance: CGFloat
    /// The coordinate space is ignored.
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        self.minimumDistance = minimumDistance
    }
}
/// Never recognized.
nonisolated public struct MagnificationGesture: Gesture, Sendable {
    public typealias Value = CGFloat
    /// The parameter is ignored.
    public init(minimumScaleDelta: CGFloat = 0.01) {}
}
/// Never recognized.
nonisolated public struct MagnifyGesture: Gesture, Sendable {
    /// A magnification. Never created here.
    nonisolated public struct Value: Equatable, Sendable {
        /// 1 means unchanged.
        public var magnification: CGFloat
        /// Where it started.
        public var startAnchor: UnitPoint
    }
    /// The parameter is ignored.
    public init(minimumScaleDelta: CGFloat = 0.01) {}
}
/// Never recognized.
nonisolated public struct RotationGesture: Gesture, Sendable {
    public typealias Value = Angle
    /// The parameter is ignored.
    public init(minimumAngleDelta: Angle = .degrees(1)) {}
}
/// Never recognized.
nonisolated public struct SpatialTapGesture: Gesture, Sendable {
    nonisolated public struct Value: Equatable, Sendable { public var location: CGPoint }
    /// The parameter is ignored.
    public init(count: Int = 1) {}
}

/// How views appear and disappear. Ignored: pages show the final state.
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
    /// Has no effect here.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// Has no effect here.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}
/// How content changes. Ignored: pages show the final state.
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
/// Haptic feedback. Ignored.
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
/// An animation of symbols. Ignored: symbols do not move.
public protocol SymbolEffect {}
nonisolated public struct _NamedSymbolEffect: SymbolEffect, Sendable {
    /// Has no effect here.
    public var up: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var down: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var byLayer: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var wholeSymbol: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var variableColor: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var iterative: _NamedSymbolEffect { self }
    /// Has no effect here.
    public var reversing: _NamedSymbolEffect { self }
}
nonisolated extension SymbolEffect where Self == _NamedSymbolEffect {
    /// Has no effect here.
    public static var bounce: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var pulse: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var scale: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var variableColor: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var wiggle: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var rotate: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var breathe: _NamedSymbolEffect { _NamedSymbolEffect() }
    /// Has no effect here.
    public static var appear: _NamedSymbolEffect { _NamedSymbolEffect() }
    public static var disappear: _NamedSymbolEffect { _NamedSymbolEffect() }
}
