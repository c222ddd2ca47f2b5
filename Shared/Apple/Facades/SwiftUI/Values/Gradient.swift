public import Foundation

/// A series of colours.
nonisolated public struct Gradient: ShapeStyle, Hashable, Sendable, PaintSource {
    public typealias Resolved = Never
    /// A colour at a position from 0 to 1.
    nonisolated public struct Stop: Hashable, Sendable {
        /// The colour at the position.
        public var color: Color
        /// From 0 to 1.
        public var location: CGFloat
        /// - Parameter location: from 0 to 1.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
    /// The colour space for mixing. Ignored: pages mix in sRGB.
    nonisolated public struct ColorSpace: Hashable, Sendable {
        private let name: String
        public static let device = ColorSpace(name: "device")
        public static let perceptual = ColorSpace(name: "perceptual")
    }
    /// The colours and their positions.
    public var stops: [Stop]
    /// - Parameter stops: in order of position.
    public init(stops: [Stop]) { self.stops = stops }
    /// Colours at equal distances.
    public init(colors: [Color]) {
        let last = CGFloat(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $0.element, location: CGFloat($0.offset) / last) }
    }
    package func paint(in environment: EnvironmentValues) -> Paint { .linear(self, from: .top, to: .bottom) }
}

/// The subtle gradient of one colour, as `Color.gradient` returns it.
nonisolated public struct AnyGradient: ShapeStyle, Hashable, Sendable, PaintSource {
    public typealias Resolved = Never
    let gradient: Gradient
    init(color: Color) { gradient = Gradient(colors: [color.mix(with: .white, by: 0.18), color]) }
    /// Wraps a gradient, which runs from top to bottom.
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
    /// Points are relative to the filled area.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        self.startPoint = startPoint
        self.endPoint = endPoint
    }
    /// Points are relative to the filled area.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
    /// Points are relative to the filled area.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .linear(gradient, from: startPoint, to: endPoint)
    }
}

/// Colours by distance from a point. Radii are in points.
nonisolated public struct RadialGradient: ShapeStyle, View, Sendable, PaintSource {
    public typealias Resolved = Never
    public typealias Body = Never
    let gradient: Gradient
    let center: UnitPoint
    let startRadius: CGFloat
    let endRadius: CGFloat
    /// The centre is relative to the filled area; radii are in points.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
        self.center = center
        self.startRadius = startRadius
        self.endRadius = endRadius
    }
    /// The centre is relative to the filled area; radii are in points.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius
        )
    }
    /// The centre is relative to the filled area; radii are in points.
    public init(stops: [Gradient.Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(stops: stops), center: center, startRadius: startRadius, endRadius: endRadius)
    }
    package func paint(in environment: EnvironmentValues) -> Paint {
        .radial(gradient, center: center, startRadius: Double(startRadius), endRadius: Double(endRadius))
    }
}

/// Colours by angle around a point. 0° points to the right, and angles increase clockwise.
nonisolated public struct AngularGradient: ShapeStyle, View, Sendable, PaintSource {
    public typealias Resolved = Never
    public typealias Body = Never
    let gradient: Gradient
    let center: UnitPoint
    let startAngle: Angle
    let endAngle: Angle
    /// The centre is relative to the filled area.
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) {
        self.gradient = gradient
        self.center = center
        self.startAngle = startAngle
        self.endAngle = endAngle
    }
    /// The centre is relative to the filled area.
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    /// The centre is relative to the filled area.
    public init(stops: [Gradient.Stop], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(
            gradient: Gradient(stops: stops), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    /// A full turn that starts at `angle`.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: gradient, center: center, startAngle: angle, endAngle: angle + .degrees(360))
    }
    /// A full turn that starts at `angle`.
    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
    }
    /// A full turn that starts at `angle`.
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
    /// 45 % opaque.
    public static let ultraThin = Material(opacity: 0.45)
    /// 60 % opaque.
    public static let thin = Material(opacity: 0.6)
    /// 75 % opaque.
    public static let regular = Material(opacity: 0.75)
    /// 86 % opaque.
    public static let thick = Material(opacity: 0.86)
    /// 94 % opaque.
    public static let ultraThick = Material(opacity: 0.94)
    /// 45 % opaque.
    public static let ultraThinMaterial = ultraThin
    /// 60 % opaque.
    public static let thinMaterial = thin
    /// 75 % opaque.
    public static let regularMaterial = regular
    /// 86 % opaque.
    public static let thickMaterial = thick
    /// 94 % opaque.
    public static let ultraThickMaterial = ultraThick
    /// 80 % opaque.
    public static let bar = Material(opacity: 0.8)
    package func paint(in environment: EnvironmentValues) -> Paint {
        .material(
            DynamicRGBA(
                light: RGBA(hex: 0xFFFFFF, alpha: opacity), dark: RGBA(hex: 0x2C2C2E, alpha: opacity)),
            blur: 20)
    }
}
