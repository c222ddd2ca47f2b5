public import FoundationExtras
public import SwiftUI

/// A part of an axis mark. Public for protocol requirements only.
public struct AxisPart {
    enum Kind { case gridLine, tick, label }
    var kind: Kind
    var isCentered: Bool?
    var stroke: StrokeStyle?
    /// In points.
    var length: Double?
    var ink: (any ShapeStyle)?
    var font: Font?
    /// If nil, the formatted value.
    var words: ((AxisValue) -> String)?
    /// A view whose text is used.
    var view: AnyView?
    var isVertical = false
    var overlaps = false
    var offset = CGSize.zero

    init(_ kind: Kind) { self.kind = kind }
}

/// A grid line, tick or label of an axis.
public protocol AxisMark {
    /// Internal to this module.
    var _parts: [AxisPart] { get }
}

/// A line across the plot.
public struct AxisGridLine: AxisMark {
    /// Internal to this module.
    public let _parts: [AxisPart]
    /// - Parameter centered: whether the line is in the middle of the day, hour or category.
    public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {
        var part = AxisPart(.gridLine)
        (part.isCentered, part.stroke) = (centered, stroke)
        _parts = [part]
    }
}

/// A short line outside of the plot.
public struct AxisTick: AxisMark {
    /// The length of a tick.
    public struct Length: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
        let points: Double?
        /// 4 points.
        public static let automatic = Length(points: nil)
        /// The height of a label, 14 points.
        public static let label = Length(points: 14)
        /// The same as `label` here.
        public static let longestLabel = Length(points: 14)
        init(points: Double?) { self.points = points }
        public init(floatLiteral value: Double) { points = value }
        public init(integerLiteral value: Int) { points = Double(value) }
    }

    /// Internal to this module.
    public let _parts: [AxisPart]
    /// - Parameter centered: whether the tick is in the middle of the day, hour or category.
    public init(centered: Bool? = nil, length: Length = .automatic, stroke: StrokeStyle? = nil) {
        var part = AxisPart(.tick)
        (part.isCentered, part.length, part.stroke) = (centered, length.points, stroke)
        _parts = [part]
    }
    /// - Parameter length: in points.
    public init(centered: Bool? = nil, length: CGFloat, stroke: StrokeStyle? = nil) {
        self.init(centered: centered, length: Length(points: length), stroke: stroke)
    }
}

/// The label at a position of an axis. Only the text of views is used.
public struct AxisValueLabel: AxisMark {
    /// Internal to this module.
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

    /// The formatted value. Anchor, alignment, offset and spacing are ignored.
    public init(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) { self.init(centered, collisionResolution, orientation, nil) }

    /// The value in the given format. Anchor, alignment, offset and spacing are ignored.
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

    /// A localized text.
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

    /// A text that is not localized.
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

    /// The text of a view.
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
    /// Internal to this module.
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
    /// Sets the colour of lines and labels. Gradients are reduced to one colour.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some AxisMark { changed { $0.ink = style } }
    /// Sets the font of labels.
    public func font(_ font: Font?) -> some AxisMark { changed { $0.font = font } }
    /// In points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some AxisMark {
        changed { $0.offset = CGSize(width: x, height: y) }
    }
}

extension Optional: AxisMark where Wrapped: AxisMark {
    public var _parts: [AxisPart] { self?._parts ?? [] }
}

/// Builds the parts of axis marks from a closure.
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
