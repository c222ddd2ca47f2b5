import Foundation

/// How a change is animated. Kept and read back; nothing is animated here.
nonisolated public struct Transaction {
    /// The animation of the change.
    public var animation: Animation?
    /// Whether views inside must not animate the change themselves.
    public var disablesAnimations = false
    /// Whether the change is part of a continuous interaction.
    public var isContinuous = false
    /// Without an animation.
    public init() {}
    /// A transaction with an animation.
    public init(animation: Animation?) { self.animation = animation }
}

/// Runs `body`. Changes are not animated.
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

/// Runs `body`, then `completion`. Changes are not animated, so they are complete when `body` returns.
public func withAnimation<Result>(
    _ animation: Animation? = .default, completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
    _ body: () throws -> Result, completion: @escaping () -> Void
) rethrows -> Result {
    let result = try body()
    completion()
    return result
}

/// Runs `body`. The transaction is ignored.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows
    -> Result
{
    try body()
}

/// When an animation counts as complete. Both cases coincide here.
nonisolated public struct AnimationCompletionCriteria: Hashable, Sendable {
    private let name: String
    /// When the value has reached its end.
    public static let logicallyComplete = AnimationCompletionCriteria(name: "logicallyComplete")
    /// When the animation is no longer visible.
    public static let removed = AnimationCompletionCriteria(name: "removed")
}

/// How a value changes over time. Ignored: pages show the final state.
nonisolated public struct Animation: Hashable, Sendable {
    let name: String
    let durationSeconds: Double
    init(_ name: String, _ durationSeconds: Double = 0.35) {
        self.name = name
        self.durationSeconds = durationSeconds
    }
    public static let `default` = Animation("default")
    public static let linear = Animation("linear")
    public static let easeIn = Animation("easeIn")
    public static let easeOut = Animation("easeOut")
    public static let easeInOut = Animation("easeInOut")
    public static let spring = Animation("spring", 0.5)
    public static let bouncy = Animation("bouncy", 0.5)
    public static let smooth = Animation("smooth", 0.5)
    public static let snappy = Animation("snappy", 0.5)
    public static let interactiveSpring = Animation("interactiveSpring", 0.15)

    /// - Parameter duration: in seconds. Ignored.
    public static func linear(duration: TimeInterval) -> Animation { Animation("linear", duration) }
    public static func easeIn(duration: TimeInterval) -> Animation { Animation("easeIn", duration) }
    public static func easeOut(duration: TimeInterval) -> Animation { Animation("easeOut", duration) }
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation("easeInOut", duration) }
    public static func timingCurve(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, duration: TimeInterval = 0.35
    ) -> Animation { Animation("timingCurve", duration) }
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0
    ) -> Animation { Animation("spring", response) }
    public static func spring(
        duration: TimeInterval = 0.5, bounce: Double = 0, blendDuration: Double = 0
    ) -> Animation { Animation("spring", duration) }
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: TimeInterval = 0.25
    ) -> Animation { Animation("interactiveSpring", response) }
    public static func interpolatingSpring(
        mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
    ) -> Animation { Animation("interpolatingSpring", 0.5) }
    public static func bouncy(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation {
        Animation("bouncy", duration)
    }
    public static func smooth(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation {
        Animation("smooth", duration)
    }
    public static func snappy(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation {
        Animation("snappy", duration)
    }
    /// Ignored: nothing is animated.
    public func delay(_ delay: TimeInterval) -> Animation { self }
    /// Ignored: nothing is animated.
    public func speed(_ speed: Double) -> Animation { Animation(name, durationSeconds / max(speed, 0.001)) }
    /// Ignored: nothing is animated.
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation { self }
    /// Ignored: nothing is animated.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}
