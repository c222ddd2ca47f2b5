/// How far the visible part of a cover is from its edges, so that its content can be laid out there. A rule
/// without GTK.
struct VisiblePart: Equatable, Sendable {
    var left = 0, top = 0, right = 0, bottom = 0

    /// All of it.
    init() {}

    /// The largest part on one monitor, so that nothing is divided between two; all of the cover, if it is on
    /// none. It is not made smaller than the smallest cover, whose buttons scroll.
    /// - Parameters:
    ///   - frame: of the cover.
    ///   - monitors: their areas without panels.
    ///   - unit: pixels of a unit of GTK, in which the result is; all others are pixels.
    init(of frame: Frame, on monitors: [Frame], unit: Int) {
        let parts = monitors.compactMap { frame.intersection($0) }
        guard let part = parts.max(by: { $0.width * $0.height < $1.width * $1.height }) else { return }
        func units(_ pixels: Int) -> Int { (pixels + unit - 1) / unit }
        (left, top) = (units(part.x - frame.x), units(part.y - frame.y))
        right = units(frame.x + frame.width - part.x - part.width)
        bottom = units(frame.y + frame.height - part.y - part.height)
        Self.limit(&left, &right, to: frame.width / unit - CoverLimits.smallest.width)
        Self.limit(&top, &bottom, to: frame.height / unit - CoverLimits.smallest.height)
    }

    private static func limit(_ before: inout Int, _ after: inout Int, to most: Int) {
        let excess = before + after - max(0, most)
        guard excess > 0 else { return }
        // The side that is farther away is where more of it is hidden.
        let cut = min(excess, max(before, after))
        if before > after { before -= cut } else { after -= cut }
        if excess > cut { (before, after) = (max(0, before - excess + cut), max(0, after - excess + cut)) }
    }
}

extension Frame {
    /// Nil if they have no pixel in common.
    func intersection(_ other: Frame) -> Frame? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let right = min(x + width, other.x + other.width), bottom = min(y + height, other.y + other.height)
        guard right > left, bottom > top else { return nil }
        return Frame(x: left, y: top, width: right - left, height: bottom - top)
    }
}
