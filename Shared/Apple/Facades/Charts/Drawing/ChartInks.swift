internal import FoundationExtras
internal import SwiftUI

/// The colours and symbols of a chart's values, and the entries of its legend.
struct ChartInks {
    struct Entry {
        var name: String
        var paint: Paint
        var symbol: BasicChartSymbolShape?
    }

    /// In the order of the legend.
    private(set) var entries: [Entry] = []
    private var paints: [String: Paint] = [:]
    private var symbols: [String: BasicChartSymbolShape] = [:]
    private let gradient: Gradient?
    private var limits: (least: Double, most: Double) = (0, 1)
    private let environment: EnvironmentValues

    static let palette: [Color] = [.blue, .green, .orange, .purple, .red, .cyan, .yellow, .pink, .brown]

    init(_ marks: [Mark], _ context: RenderContext) {
        environment = context.environment
        let settings = environment.chart
        gradient = settings.gradient
        var found: [ChartPlot] = []
        var forms: [ChartPlot] = []
        for mark in marks {
            if case .by(let by) = mark.style.ink { found.append(by.plot) }
            if let by = mark.style.symbolBy { forms.append(by.plot) }
        }
        if gradient != nil {
            let given = settings.gradientLimits.compactMap(\.position)
            let numbers = given.isEmpty ? found.compactMap(\.position).filter(\.isFinite) : given
            limits = (numbers.min() ?? 0, numbers.max() ?? 1)
        }
        let names = Self.order(settings.inks.domain, found)
        for (number, plot) in names.enumerated() {
            paints[plot.words] = paint(plot, number, settings.inks)
        }
        let shapes: [BasicChartSymbolShape] =
            settings.symbols.visuals.isEmpty
            ? [.circle, .square, .triangle, .diamond, .pentagon, .plus, .cross, .asterisk]
            : settings.symbols.visuals
        let formNames = Self.order(settings.symbols.domain, forms)
        for (number, plot) in formNames.enumerated() { symbols[plot.words] = shapes[number % shapes.count] }
        guard gradient == nil || !found.allSatisfy(\.isNumber) else { return }
        // A value that a scale lists is in the legend even without a mark.
        let used = Set((found + forms + (settings.inks.domain ?? [])).map(\.words))
        for plot in Self.order(names, formNames) where used.contains(plot.words) {
            let paint = paints[plot.words] ?? TintShapeStyle().paint(in: environment)
            entries.append(Entry(name: plot.words, paint: paint, symbol: symbols[plot.words]))
        }
    }

    /// Each value once: first those of the domain, then others.
    private static func order(_ domain: [ChartPlot]?, _ found: [ChartPlot]) -> [ChartPlot] {
        var seen: Set<String> = []
        return ((domain ?? []) + found).filter { seen.insert($0.words).inserted }
    }

    private func paint(
        _ plot: ChartPlot, _ number: Int, _ settings: ChartSettings.Assignment<any ShapeStyle>
    ) -> Paint {
        if let chosen = settings.choose?(plot) { return chosen.paint(in: environment) }
        if let gradient, let position = plot.position { return mixed(gradient, position) }
        let styles = settings.visuals.isEmpty ? Self.palette : settings.visuals
        return styles[number % styles.count].paint(in: environment)
    }

    private func mixed(_ gradient: Gradient, _ position: Double) -> Paint {
        let length = limits.most - limits.least
        let part = length > 0 ? min(max((position - limits.least) / length, 0), 1) : 0
        let stops = gradient.stops.map { (place: Double($0.location), color: $0.color) }
        guard let after = stops.firstIndex(where: { $0.place >= part }), after > 0 else {
            let end = part <= (stops.first?.place ?? 0) ? stops.first : stops.last
            return (end?.color ?? .blue).paint(in: environment)
        }
        let (one, other) = (stops[after - 1], stops[after])
        let share = other.place > one.place ? (part - one.place) / (other.place - one.place) : 0
        let (from, to) = (one.color.resolved(in: environment), other.color.resolved(in: environment))
        return .color(
            DynamicRGBA(
                light: from.light.mixed(with: to.light, by: share),
                dark: from.dark.mixed(with: to.dark, by: share)))
    }

    func paint(of mark: Mark) -> Paint {
        switch mark.style.ink {
        case .style(let style): style.paint(in: environment)
        case .by(let by): paints[by.plot.words] ?? TintShapeStyle().paint(in: environment)
        case nil: TintShapeStyle().paint(in: environment)
        }
    }

    func symbol(of mark: Mark) -> BasicChartSymbolShape? {
        mark.style.symbolBy.flatMap { symbols[$0.plot.words] } ?? mark.style.symbol
    }
}
