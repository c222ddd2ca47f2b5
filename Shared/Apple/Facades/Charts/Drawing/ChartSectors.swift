internal import FoundationExtras
internal import SwiftUI

/// The sectors of a circle.
struct ChartSectors {
    struct Sector {
        var placed: PlacedMark
        var path: String
        /// By how many points the outline is thickened for rounded corners.
        var rounding: Double
        /// The position of an annotation.
        var middle: CGPoint
    }

    let center: CGPoint
    let radius: Double
    private(set) var sectors: [Sector] = []

    init(_ marks: [PlacedMark], in plot: CGRect) {
        center = CGPoint(x: plot.midX, y: plot.midY)
        radius = max(min(plot.width, plot.height) / 2, 1)
        let total = marks.reduce(0) { $0 + $1.value }
        guard total > 0, total.isFinite else { return }
        var angle = -Double.pi / 2
        for placed in marks {
            let sweep = placed.value / total * 2 * .pi
            sectors.append(sector(placed, from: angle, to: angle + sweep))
            angle += sweep
        }
    }

    private func sector(_ placed: PlacedMark, from start: Double, to end: Double) -> Sector {
        let mark = placed.mark
        var outer = mark.outerRadius.radius(of: radius, automatic: radius)
        var inner = min(mark.innerRadius.radius(of: radius, automatic: 0), outer)
        let gap = max(mark.angularInset ?? 0, 0)
        let (half, thickness) = ((end - start) / 2, outer - inner)
        // A corner radius is at most half of the thickness and length of the sector.
        let room = min(thickness / 2, half < .pi / 2 ? outer * sin(half) / 2 : thickness / 2) - gap / 2
        let rounding = min(max(mark.style.cornerRadius ?? 0, 0), max(room, 0))
        outer -= rounding
        if inner > 0 { inner += rounding }
        let middle = (start + end) / 2
        let spot = inner > 0 ? (inner + outer) / 2 : outer * 0.62
        let note = CGPoint(x: center.x + spot * cos(middle), y: center.y + spot * sin(middle))
        let path =
            end - start > 2 * .pi - 1e-6
            ? ring(inner, outer) : slice(start, end, inner, outer, inset: gap / 2 + rounding)
        return Sector(placed: placed, path: path, rounding: rounding, middle: note)
    }

    private func point(_ angle: Double, _ radius: Double) -> CGPoint {
        CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }

    private func ring(_ inner: Double, _ outer: Double) -> String {
        func circle(_ radius: Double, _ sweep: Int) -> String {
            let (left, right) = (point(.pi, radius), point(0, radius))
            let arc = "A\(CSS.number(radius)) \(CSS.number(radius)) 0 1 \(sweep) "
            return
                "M\(ChartCurves.text(left))\(arc)\(ChartCurves.text(right))\(arc)\(ChartCurves.text(left))Z"
        }
        return circle(outer, 1) + (inner > 0 ? circle(inner, 0) : "")
    }

    /// - Parameter inset: the distance in points between the sector's edge and the radius at its angle.
    private func slice(
        _ start: Double, _ end: Double, _ inner: Double, _ outer: Double, inset: Double
    ) -> String {
        let half = (end - start) / 2
        func turn(_ radius: Double) -> Double {
            radius > 0 ? min(asin(min(inset / radius, 1)), half * 0.98) : half
        }
        let (first, last) = (start + turn(outer), end - turn(outer))
        let large = last - first > .pi ? 1 : 0
        var path = "M\(ChartCurves.text(point(first, outer)))"
        path += "A\(CSS.number(outer)) \(CSS.number(outer)) 0 \(large) 1 "
        path += ChartCurves.text(point(last, outer))
        guard inner > inset else {
            // The tip is where both edges meet.
            let away = half < .pi / 2 ? inset / max(sin(half), 0.02) : inset
            return path + "L\(ChartCurves.text(point((start + end) / 2, min(away, outer * 0.9))))Z"
        }
        let (from, to) = (end - turn(inner), start + turn(inner))
        path += "L\(ChartCurves.text(point(from, inner)))"
        path += "A\(CSS.number(inner)) \(CSS.number(inner)) 0 \(from - to > .pi ? 1 : 0) 0 "
        return path + ChartCurves.text(point(to, inner)) + "Z"
    }
}
