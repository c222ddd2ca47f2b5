public import FoundationExtras
public import SwiftUI

/// What one mark of an axis consists of. Programs have no use for it.
public struct AxisPart {
    enum Kind { case gridLine, tick, label }
    var kind: Kind
    var isCentered: Bool?
    var stroke: StrokeStyle?
    /// Points.
    var length: Double?
    var ink: (any ShapeStyle)?
    var font: Font?
    /// nil: the value's own words.
    var words: ((AxisValue) -> String)?
    /// A view whose words they are.
    var view: AnyView?
    var isVertical = false
    var overlaps = false
    var offset = CGSize.zero

    init(_ kind: Kind) { self.kind = kind }
}

/// A part of an axis: a line, a tick or a label.
public protocol AxisMark {
    /// Used by this module only.
    var _parts: [AxisPart] { get }
}

/// A line through the plot.
public struct AxisGridLine: AxisMark {
    public let _parts: [AxisPart]
    /// - Parameter centered: in the middle of the day, hour or category.
    public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {
        var part = AxisPart(.gridLine)
        (part.isCentered, part.stroke) = (centered, stroke)
        _parts = [part]
    }
}

/// A short line beside the plot.
public struct AxisTick: AxisMark {
    /// How long a tick is.
    public struct Length: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
        let points: Double?
        public static let automatic = Length(points: nil)
        /// As long as the label is high.
        public static let label = Length(points: 14)
        public static let longestLabel = Length(points: 14)
        init(points: Double?) { self.points = points }
        public init(floatLiteral value: Double) { points = value }
        public init(integerLiteral value: Int) { points = Double(value) }
    }

    public let _parts: [AxisPart]
    public init(centered: Bool? = nil, length: Length = .automatic, stroke: StrokeStyle? = nil) {
        var part = AxisPart(.tick)
        (part.isCentered, part.length, part.stroke) = (centered, length.points, stroke)
        _parts = [part]
    }
    public init(centered: Bool? = nil, length: CGFloat, stroke: StrokeStyle? = nil) {
        self.init(centered: centered, length: Length(points: length), stroke: stroke)
    }
}

/// The words beside a place of an axis. Views are reduced to their words.
public struct AxisValueLabel: AxisMark {
    public let _parts: [AxisPart]

    private init(
        _ centered: Bool?, _ collision: AxisValueLabelCollisionResolution,
        _ orientation: AxisValueLabelOrientation,
        _ words: ((AxisValue) -> String)?, _ view: AnyView? = nil
    ) {
        var part = AxisPart(.label)
        (part.isCentered, part.words, part.view) = (centered, words, view)
        (part.isVertical, part.overlaps) = (orientation.isVertical, collision.isDisabled)
        _parts = [part]
    }

    public init(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) { self.init(centered, collisionResolution, orientation, nil) }

    /// The value in this format.
    public init<F: FormatStyle>(
        format: F, centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(centered, collisionResolution, orientation) { value in
            value.as(F.FormatInput.self).map(format.format) ?? ""
        }
    }

    public init(
        _ content: LocalizedStringKey, centered: Bool? = nil, anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) {
        let words = ChartWords.text(content)
        self.init(centered, collisionResolution, orientation) { _ in words }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ content: S, centered: Bool? = nil, anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) {
        let words = String(content)
        self.init(centered, collisionResolution, orientation) { _ in words }
    }

    public init<C: View>(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> C
    ) {
        self.init(centered, collisionResolution, orientation, nil, AnyView(content()))
    }
}

/// Several parts.
public struct AxisMarkGroup: AxisMark {
    public let _parts: [AxisPart]
}

extension AxisMark {
    private func changed(_ change: (inout AxisPart) -> Void) -> AxisMarkGroup {
        AxisMarkGroup(
            _parts: _parts.map {
                var part = $0
                change(&part)
                return part
            })
    }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some AxisMark { changed { $0.ink = style } }
    public func font(_ font: Font?) -> some AxisMark { changed { $0.font = font } }
    /// Points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some AxisMark {
        changed { $0.offset = CGSize(width: x, height: y) }
    }
}

extension Optional: AxisMark where Wrapped: AxisMark {
    public var _parts: [AxisPart] { self?._parts ?? [] }
}

/// Builds the parts of an axis's marks from the statements of a closure.
@resultBuilder
public struct AxisMarkBuilder {
    public static func buildExpression<M: AxisMark>(_ mark: M) -> AxisMarkGroup {
        AxisMarkGroup(_parts: mark._parts)
    }
    public static func buildBlock(_ marks: AxisMarkGroup...) -> AxisMarkGroup {
        AxisMarkGroup(_parts: marks.flatMap(\._parts))
    }
    public static func buildIf(_ mark: AxisMarkGroup?) -> AxisMarkGroup {
        mark ?? AxisMarkGroup(_parts: [])
    }
    public static func buildEither(first: AxisMarkGroup) -> AxisMarkGroup { first }
    public static func buildEither(second: AxisMarkGroup) -> AxisMarkGroup { second }
    public static func buildLimitedAvailability(_ mark: AxisMarkGroup) -> AxisMarkGroup { mark }
}
