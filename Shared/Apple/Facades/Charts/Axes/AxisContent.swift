public import FoundationExtras
public import SwiftUI

/// Marks at positions of an axis. Public for protocol requirements only.
public struct AxisRecipe {
    var position: AxisMarkPosition
    var preset: AxisMarkPreset
    var values: AxisMarkValues
    var parts: (AxisValue) -> [AxisPart]
}

/// The content of an axis.
public protocol AxisContent {
    /// Internal to this module.
    var _recipes: [AxisRecipe] { get }
}

/// Grid lines, ticks and labels at positions of an axis.
public struct AxisMarks: AxisContent {
    /// Internal to this module.
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

    /// A grid line and a label at each position.
    public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) { self.init(preset, position, values, Self.standard(stroke)) }

    /// The same at the given values.
    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        stroke: StrokeStyle? = nil
    ) { self.init(preset, position, Self.list(values), Self.standard(stroke)) }

    /// The same with formatted labels.
    public init<F: FormatStyle>(
        format: F, preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(preset, position, values, Self.formatted(format, stroke))
    }

    /// The same at the given values with formatted labels.
    public init<F: FormatStyle, Value: Plottable>(
        format: F, preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: [Value], stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(preset, position, Self.list(values), Self.formatted(format, stroke))
    }

    /// Marks built for each position.
    public init<Content: AxisMark>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) { self.init(preset, position, values) { content($0)._parts } }

    /// The same marks at each position.
    public init<Content: AxisMark>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping () -> Content
    ) { self.init(preset, position, values) { _ in content()._parts } }

    /// Marks built for each of the given values.
    public init<Content: AxisMark, Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) { self.init(preset, position, Self.list(values)) { content($0)._parts } }

    /// The same marks at each of the given values.
    public init<Content: AxisMark, Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping () -> Content
    ) { self.init(preset, position, Self.list(values)) { _ in content()._parts } }
}

/// Several contents of an axis.
public struct AxisContentGroup: AxisContent {
    /// Internal to this module.
    public let _recipes: [AxisRecipe]
}

/// Builds the content of an axis from a closure.
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
