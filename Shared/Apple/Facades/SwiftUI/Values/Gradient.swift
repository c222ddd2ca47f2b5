public import Foundation

/// Colours that pass over into each other.
nonisolated public struct Gradient: ShapeStyle, Hashable, Sendable, PaintSource {
    public typealias Resolved = Never
    /// A colour at a place from 0 to 1.
    nonisolated public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: CGFloat
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
    /// The space that colours are mixed in. Pages mix in sRGB.
    nonisolated public struct ColorSpace: Hashable, Sendable {
        private let name: String
        public static let device = ColorSpace(name: "device")
        public static let perceptual = ColorSpace(name: "perceptual")
    }
    /// The colours and their places.
    public var stops: [Stop]
    public init(stops: [Stop]) { self.stops = stops }
    /// Colours at equal distances.
    public init(colors: [Color]) {
        let last = CGFloat(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $0.element, location: CGFloat($0.offset) / last) }
    }
    package func paint(in environment: EnvironmentValues) -> Paint { .linear(self, from: .top, to: .bottom) }
}

/// The light gradient of one colour, `Color.gradient`.
nonisolated public struct AnyGradient: ShapeStyle, Hashable, Sendable, PaintSource {
    public typealias Resolved = Never
    let gradient: Gradient
    init(color: Color) { gradient = Gradient(colors: [color.mix(with: .white, by: 0.18), color]) }
    public init(_ gradient: Gradient) { self.gradient = gradient }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .linear(gradient, from: .top, to: .bottom)
    }
}

/// Colours along a line.
nonisolated public struct LinearGradient: ShapeStyle, View, Sendable, PaintSource {
    public typealias Resolved = Never
    public typealias Body = Never
    let gradient: Gradient
    let startPoint: UnitPoint
    let endPoint: UnitPoint
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        self.startPoint = startPoint
        self.endPoint = endPoint
    }
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .linear(gradient, from: startPoint, to: endPoint)
    }
}

/// Colours around a point, at radii in points.
nonisolated public struct RadialGradient: ShapeStyle, View, Sendable, PaintSource {
    public typealias Resolved = Never
    public typealias Body = Never
    let gradient: Gradient
    let center: UnitPoint
    let startRadius: CGFloat
    let endRadius: CGFloat
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
        self.center = center
        self.startRadius = startRadius
        self.endRadius = endRadius
    }
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius
        )
    }
    public init(stops: [Gradient.Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(stops: stops), center: center, startRadius: startRadius, endRadius: endRadius)
    }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .radial(gradient, center: center, startRadius: Double(startRadius), endRadius: Double(endRadius))
    }
}

/// Colours around a point, by angle; 0° points to the right, and angles grow clockwise.
nonisolated public struct AngularGradient: ShapeStyle, View, Sendable, PaintSource {
    public typealias Resolved = Never
    public typealias Body = Never
    let gradient: Gradient
    let center: UnitPoint
    let startAngle: Angle
    let endAngle: Angle
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) {
        self.gradient = gradient
        self.center = center
        self.startAngle = startAngle
        self.endAngle = endAngle
    }
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    public init(stops: [Gradient.Stop], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(
            gradient: Gradient(stops: stops), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: gradient, center: center, startAngle: angle, endAngle: angle + .degrees(360))
    }
    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
    }
    public init(stops: [Gradient.Stop], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(stops: stops), center: center, angle: angle)
    }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .angular(gradient, center: center, start: startAngle, end: endAngle)
    }
}

extension LinearGradient: PrimitiveView {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [.filled(by: self, context)] }
}
extension RadialGradient: PrimitiveView {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [.filled(by: self, context)] }
}
extension AngularGradient: PrimitiveView {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [.filled(by: self, context)] }
}

/// A translucent layer that blurs what is behind it.
nonisolated public struct Material: ShapeStyle, Sendable, PaintSource {
    public typealias Resolved = Never
    let opacity: Double
    public static let ultraThin = Material(opacity: 0.45)
    public static let thin = Material(opacity: 0.6)
    public static let regular = Material(opacity: 0.75)
    public static let thick = Material(opacity: 0.86)
    public static let ultraThick = Material(opacity: 0.94)
    public static let ultraThinMaterial = ultraThin
    public static let thinMaterial = thin
    public static let regularMaterial = regular
    public static let thickMaterial = thick
    public static let ultraThickMaterial = ultraThick
    public static let bar = Material(opacity: 0.8)
    package func paint(in environment: EnvironmentValues) -> Paint {
        .material(
            DynamicRGBA(
                light: RGBA(hex: 0xFFFFFF, alpha: opacity), dark: RGBA(hex: 0x2C2C2E, alpha: opacity)),
            blur: 20)
    }
}
