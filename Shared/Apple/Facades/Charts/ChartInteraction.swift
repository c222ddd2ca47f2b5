public import SwiftUI

/// Reports are pages that nobody can reach into: these keep what they say, and the chart shows the first
/// stretch of what could be scrolled. A selection is what its binding holds when the page is drawn; content
/// that depends on it is drawn so.
extension View {
    public nonisolated func chartXSelection<P: Plottable>(value: Binding<P?>) -> some View { self }
    public nonisolated func chartYSelection<P: Plottable>(value: Binding<P?>) -> some View { self }
    public nonisolated func chartXSelection<P: Plottable & Comparable>(
        range: Binding<ClosedRange<P>?>
    ) -> some View { self }
    public nonisolated func chartAngleSelection<P: Plottable>(value: Binding<P?>) -> some View { self }

    /// The chart shows `chartXVisibleDomain` of its x axis, from `chartScrollPosition` or the beginning.
    public nonisolated func chartScrollableAxes(_ axes: Axis.Set) -> some View { self }
    /// - Parameter length: of numbers, or seconds of dates: how much of the x axis is seen.
    public nonisolated func chartXVisibleDomain<P: Plottable & Numeric>(length: P) -> some View {
        let seen = length.primitivePlottable._plot.position
        return chart { $0.visibleLength = seen }
    }
    public nonisolated func chartScrollPosition<P: Plottable>(x: Binding<P>) -> some View {
        let start = x.wrappedValue.primitivePlottable._plot
        return chart { $0.scrollStart = start }
    }
    public nonisolated func chartScrollPosition<P: Plottable>(initialX: P) -> some View {
        let start = initialX.primitivePlottable._plot
        return chart { $0.scrollStart = start }
    }
}
