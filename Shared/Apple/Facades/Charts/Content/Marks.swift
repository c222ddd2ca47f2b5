public import FoundationExtras
internal import SwiftUI

/// A bar from zero to a value, or between two values.
nonisolated public struct BarMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    private init(_ fill: @escaping (inout Mark) -> Void) { make = MarkMaker.bar.with(fill) }

    /// - Parameters: width and height are the thickness of the bar, if the axis does not determine it.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) {
        self.init {
            $0.place(x: x, y: y)
            ($0.width, $0.height, $0.stacking) = (width, height, stacking)
        }
    }
    /// A vertical bar between two values.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) {
        self.init {
            $0.place(x: x, y: yStart)
            ($0.yEnd, $0.width) = (yEnd.plot, width)
        }
    }
    /// A horizontal bar between two values.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {
        self.init {
            $0.place(x: xStart, y: y)
            ($0.xEnd, $0.height) = (xEnd.plot, height)
        }
    }
    /// A segment of one horizontal bar along the whole chart, stacked from left to right.
    public init<X: Plottable>(
        x: PlottableValue<X>, height: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) {
        self.init {
            $0.place(x: x)
            ($0.height, $0.stacking) = (height, stacking)
        }
    }
    /// A segment of one vertical bar along the whole chart, stacked from the bottom.
    public init<Y: Plottable>(
        y: PlottableValue<Y>, width: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) {
        self.init {
            $0.place(y: y)
            ($0.width, $0.stacking) = (width, stacking)
        }
    }
}

/// A line through its points in their order. Each series has a separate line.
nonisolated public struct LineMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// A point of the line.
    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        make = MarkMaker.line.with { $0.place(x: x, y: y) }
    }
    /// A point of the line of `series`.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>
    ) {
        make = MarkMaker.line.with {
            $0.place(x: x, y: y)
            $0.series = (series.label, series.plot)
        }
    }
}

/// The area between a line and zero, or between two lines.
nonisolated public struct AreaMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// A point of the upper line.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, stacking: MarkStackingMethod = .standard
    ) {
        make = MarkMaker.area.with {
            $0.place(x: x, y: y)
            $0.stacking = stacking
        }
    }
    /// A point of the upper line of `series`.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>,
        stacking: MarkStackingMethod = .standard
    ) {
        make = MarkMaker.area.with {
            $0.place(x: x, y: y)
            $0.stacking = stacking
            $0.series = (series.label, series.plot)
        }
    }
    /// A point of both lines.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) {
        make = MarkMaker.area.with {
            $0.place(x: x, y: yStart)
            $0.yEnd = yEnd.plot
        }
    }
    /// A point of both lines of `series`.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>, series: PlottableValue<S>
    ) {
        make = MarkMaker.area.with {
            $0.place(x: x, y: yStart)
            $0.yEnd = yEnd.plot
            $0.series = (series.label, series.plot)
        }
    }
}

/// A single point.
nonisolated public struct PointMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// A point at two values.
    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        make = MarkMaker.point.with { $0.place(x: x, y: y) }
    }
    /// A point in the vertical middle.
    public init<X: Plottable>(x: PlottableValue<X>) {
        make = MarkMaker.point.with { $0.place(x: x) }
    }
    /// A point in the horizontal middle.
    public init<Y: Plottable>(y: PlottableValue<Y>) {
        make = MarkMaker.point.with { $0.place(y: y) }
    }
}

/// A straight line across the chart, or between two values.
nonisolated public struct RuleMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// From the bottom to the top.
    public init<X: Plottable>(x: PlottableValue<X>) {
        make = MarkMaker.rule.with { $0.place(x: x) }
    }
    /// From the left to the right.
    public init<Y: Plottable>(y: PlottableValue<Y>) {
        make = MarkMaker.rule.with { $0.place(y: y) }
    }
    /// A vertical line between two values.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) {
        make = MarkMaker.rule.with {
            $0.place(x: x, y: yStart)
            $0.yEnd = yEnd.plot
        }
    }
    /// A horizontal line between two values.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>
    ) {
        make = MarkMaker.rule.with {
            $0.place(x: xStart, y: y)
            $0.xEnd = xEnd.plot
        }
    }
}

/// A rectangle around a point or between values.
nonisolated public struct RectangleMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// A rectangle around a point.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic
    ) {
        make = MarkMaker.rectangle.with {
            $0.place(x: x, y: y)
            ($0.width, $0.height) = (width, height)
        }
    }
    /// A rectangle between values in both directions.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        make = MarkMaker.rectangle.with {
            $0.place(x: xStart, y: yStart)
            ($0.xEnd, $0.yEnd) = (xEnd.plot, yEnd.plot)
        }
    }
    /// A rectangle between two values of y.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) {
        make = MarkMaker.rectangle.with {
            $0.place(x: x, y: yStart)
            ($0.yEnd, $0.width) = (yEnd.plot, width)
        }
    }
    /// A rectangle between two values of x.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {
        make = MarkMaker.rectangle.with {
            $0.place(x: xStart, y: y)
            ($0.xEnd, $0.height) = (xEnd.plot, height)
        }
    }
    /// From the bottom to the top.
    public init<X: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>
    ) {
        make = MarkMaker.rectangle.with {
            $0.place(x: xStart)
            $0.xEnd = xEnd.plot
        }
    }
    /// From the left to the right.
    public init<Y: Plottable>(yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>) {
        make = MarkMaker.rectangle.with {
            $0.place(y: yStart)
            $0.yEnd = yEnd.plot
        }
    }
}

/// A sector of a circle in proportion to its value.
nonisolated public struct SectorMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let make: @MainActor (MarkStyle) -> Mark
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { marks.append(make(style)) }

    /// - Parameters:
    ///   - angle: a number of 0 or more. Others are left out, and the chart says so.
    ///   - innerRadius: of the hole in the middle. None by default.
    ///   - angularInset: the gap between two sectors in points.
    public init<Angle: Plottable>(
        angle: PlottableValue<Angle>, innerRadius: MarkDimension = .automatic,
        outerRadius: MarkDimension = .automatic, angularInset: CGFloat? = nil
    ) {
        make = MarkMaker.sector.with {
            $0.place(y: angle)
            ($0.innerRadius, $0.outerRadius) = (innerRadius, outerRadius)
            $0.angularInset = angularInset.map { Double($0) }
        }
    }
}

/// Creates marks of one kind.
struct MarkMaker {
    let kind: Mark.Kind
    static let bar = MarkMaker(kind: .bar)
    static let line = MarkMaker(kind: .line)
    static let area = MarkMaker(kind: .area)
    static let point = MarkMaker(kind: .point)
    static let rule = MarkMaker(kind: .rule)
    static let rectangle = MarkMaker(kind: .rectangle)
    static let sector = MarkMaker(kind: .sector)

    func with(_ fill: @escaping (inout Mark) -> Void) -> @MainActor (MarkStyle) -> Mark {
        var mark = Mark(kind, MarkStyle())
        fill(&mark)
        let made = mark
        return { style in
            var mark = made
            mark.style = style
            return mark
        }
    }
}

extension Mark {
    mutating func place<X: Plottable>(x: PlottableValue<X>) { (self.x, xLabel) = (x.plot, x.label) }
    mutating func place<Y: Plottable>(y: PlottableValue<Y>) { (self.y, yLabel) = (y.plot, y.label) }
    mutating func place<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        place(x: x)
        place(y: y)
    }
}
