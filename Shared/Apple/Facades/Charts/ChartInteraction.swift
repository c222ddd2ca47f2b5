public import SwiftUI

/// Interaction with charts. Reports are static pages: selections keep the value of their binding at the time
/// of rendering, and a scrollable chart shows its first part.
extension View {
    /// Has no effect: the binding keeps its value.
    public nonisolated func chartXSelection<P: Plottable>(value: Binding<P?>) -> some View { self }
    /// Has no effect: the binding keeps its value.
    public nonisolated func chartYSelection<P: Plottable>(value: Binding<P?>) -> some View { self }
    /// Has no effect: the binding keeps its value.
    public nonisolated func chartXSelection<P: Plottable & Comparable>(
        range: Binding<ClosedRange<P>?>
    ) -> some View { self }
    /// Has no effect: the binding keeps its value.
    public nonisolated func chartAngleSelection<P: Plottable>(value: Binding<P?>) -> some View { self }

    /// The chart shows `chartXVisibleDomain` of its x axis, from `chartScrollPosition` or from the start. It
    /// does not scroll.
    public nonisolated func chartScrollableAxes(_ axes: Axis.Set) -> some View { self }
    /// - Parameter length: the visible part of the x axis, in its numbers or in seconds for dates.
    public nonisolated func chartXVisibleDomain<P: Plottable & Numeric>(length: P) -> some View {
        let seen = length.primitivePlottable._plot.position
        return chart { $0.visibleLength = seen }
    }
    /// Sets the start of the visible part. The binding is read once.
    public nonisolated func chartScrollPosition<P: Plottable>(x: Binding<P>) -> some View {
        let start = x.wrappedValue.primitivePlottable._plot
        return chart { $0.scrollStart = start }
    }
    /// Sets the start of the visible part.
    public nonisolated func chartScrollPosition<P: Plottable>(initialX: P) -> some View {
        let start = initialX.primitivePlottable._plot
        return chart { $0.scrollStart = start }
    }
}
