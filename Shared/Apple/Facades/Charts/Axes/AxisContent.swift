public import FoundationExtras
public import SwiftUI

/// Marks at places of an axis. Programs have no use for it.
public struct AxisRecipe {
    var position: AxisMarkPosition
    var preset: AxisMarkPreset
    var values: AxisMarkValues
    var parts: (AxisValue) -> [AxisPart]
}

/// What an axis shows.
public protocol AxisContent {
    /// Used by this module only.
    var _recipes: [AxisRecipe] { get }
}

/// Lines, ticks and labels at places of an axis.
public struct AxisMarks: AxisContent {
    public let _recipes: [AxisRecipe]

    private init(
        _ preset: AxisMarkPreset, _ position: AxisMarkPosition, _ values: AxisMarkValues,
        _ parts: @escaping (AxisValue) -> [AxisPart]
    ) {
        _recipes = [AxisRecipe(position: position, preset: preset, values: values, parts: parts)]
    }

    private static func list<Value: Plottable>(_ values: [Value]) -> AxisMarkValues {
        AxisMarkValues(kind: .list(values.map { $0.primitivePlottable._plot }))
    }

    static func standard(_ stroke: StrokeStyle?) -> (AxisValue) -> [AxisPart] {
        { _ in AxisGridLine(stroke: stroke)._parts + AxisValueLabel()._parts }
    }

    private static func formatted<F: FormatStyle>(
        _ format: F, _ stroke: StrokeStyle?
    ) -> (AxisValue) -> [AxisPart] where F.FormatInput: Plottable, F.FormatOutput == String {
        { _ in AxisGridLine(stroke: stroke)._parts + AxisValueLabel(format: format)._parts }
    }

    /// A line and a label at each place.
    public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) { self.init(preset, position, values, Self.standard(stroke)) }

    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        stroke: StrokeStyle? = nil
    ) { self.init(preset, position, Self.list(values), Self.standard(stroke)) }

    public init<F: FormatStyle>(
        format: F, preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(preset, position, values, Self.formatted(format, stroke))
    }

    public init<F: FormatStyle, Value: Plottable>(
        format: F, preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: [Value], stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(preset, position, Self.list(values), Self.formatted(format, stroke))
    }

    public init<Content: AxisMark>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) { self.init(preset, position, values) { content($0)._parts } }

    public init<Content: AxisMark>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping () -> Content
    ) { self.init(preset, position, values) { _ in content()._parts } }

    public init<Content: AxisMark, Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) { self.init(preset, position, Self.list(values)) { content($0)._parts } }

    public init<Content: AxisMark, Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping () -> Content
    ) { self.init(preset, position, Self.list(values)) { _ in content()._parts } }
}

/// Several contents of an axis.
public struct AxisContentGroup: AxisContent {
    public let _recipes: [AxisRecipe]
}

/// Builds the content of an axis from the statements of a closure.
@resultBuilder
public struct AxisContentBuilder {
    public static func buildExpression<C: AxisContent>(_ content: C) -> AxisContentGroup {
        AxisContentGroup(_recipes: content._recipes)
    }
    public static func buildBlock(_ contents: AxisContentGroup...) -> AxisContentGroup {
        AxisContentGroup(_recipes: contents.flatMap(\._recipes))
    }
    public static func buildIf(_ content: AxisContentGroup?) -> AxisContentGroup {
        content ?? AxisContentGroup(_recipes: [])
    }
    public static func buildEither(first: AxisContentGroup) -> AxisContentGroup { first }
    public static func buildEither(second: AxisContentGroup) -> AxisContentGroup { second }
    public static func buildLimitedAvailability(_ content: AxisContentGroup) -> AxisContentGroup { content }
}
