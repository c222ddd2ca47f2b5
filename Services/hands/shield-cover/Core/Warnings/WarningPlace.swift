/// Where warnings are on a monitor.
enum WarningPlace {
    /// A corner, from which several are stacked; the first one where notification daemons show nothing
    /// (theirs are the top and the bottom right).
    enum Corner: CaseIterable, Sendable {
        case bottomLeft, topLeft, bottomRight, topRight

        fileprivate var isRight: Bool { self == .topRight || self == .bottomRight }
        fileprivate var isTop: Bool { self == .topRight || self == .topLeft }
    }

    /// The bottom left corner, unless warnings would cover all of a window there that is used now; then the
    /// next one.
    static func corner(
        for sizes: [(width: Int, height: Int)], in area: Frame, margin: Int, avoiding used: [Frame]
    ) -> Corner {
        Corner.allCases.first { corner in
            let frames = frames(sizes, in: area, margin: margin, corner)
            return !frames.contains { frame in used.contains { frame.contains($0) } }
        } ?? .bottomLeft
    }

    /// Frames of warnings, the first one in the corner.
    /// - Parameters:
    ///   - sizes: in pixels, in order.
    ///   - area: of the monitor.
    ///   - margin: to its edges, and between two.
    static func frames(
        _ sizes: [(width: Int, height: Int)], in area: Frame, margin: Int, _ corner: Corner
    ) -> [Frame] {
        var distance = margin
        return sizes.map { size in
            defer { distance += size.height + margin }
            let x = corner.isRight ? area.x + area.width - margin - size.width : area.x + margin
            let y = corner.isTop ? area.y + distance : area.y + area.height - distance - size.height
            return Frame(x: max(area.x, x), y: max(area.y, y), width: size.width, height: size.height)
        }
    }

    /// The monitor of a window: where its middle is, else the first.
    static func monitor(of window: Frame, among monitors: [Frame]) -> Frame? {
        let (x, y) = (window.x + window.width / 2, window.y + window.height / 2)
        return monitors.first { $0.contains(Frame(x: x, y: y, width: 1, height: 1)) } ?? monitors.first
    }
}

extension Frame {
    /// Whether the other one lies within this one.
    func contains(_ other: Frame) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width
            && other.y + other.height <= y + height
    }
}
