public import Foundation

nonisolated extension Path {
    /// The part of the path between two fractions of its length, 0 to 1.
    public func trimmedPath(from: CGFloat, to: CGFloat) -> Path {
        let (from, to) = (Double(min(max(from, 0), 1)), Double(min(max(to, 0), 1)))
        guard from < to else { return Path() }
        if from == 0 && to == 1 { return self }
        let segments = Segment.all(of: self)
        let whole = segments.reduce(0) { $0 + $1.length }
        guard whole > 0 else { return Path() }
        var trimmed = Path()
        var passed = 0.0
        for segment in segments {
            let (begin, end) = (passed / whole, (passed + segment.length) / whole)
            passed += segment.length
            guard segment.length > 0, end > from, begin < to else { continue }
            let low = begin >= from ? 0 : segment.position(at: (from - begin) / (end - begin))
            let high = end <= to ? 1 : segment.position(at: (to - begin) / (end - begin))
            let part = segment.part(from: low, to: high)
            if trimmed.currentPoint != part.start { trimmed.move(to: part.start) }
            trimmed.addCurve(to: part.end, control1: part.control1, control2: part.control2)
        }
        return trimmed
    }
}

/// A curve of a path. Lines are curves too.
private struct Segment {
    var start: CGPoint
    var control1: CGPoint
    var control2: CGPoint
    var end: CGPoint
    /// The lengths in points up to each sample.
    var lengths: [Double]
    var length: Double { lengths.last ?? 0 }
    private static let samples = 24

    init(_ start: CGPoint, _ control1: CGPoint, _ control2: CGPoint, _ end: CGPoint) {
        (self.start, self.control1, self.control2, self.end) = (start, control1, control2, end)
        lengths = [0]
        var last = start
        for sample in 1...Self.samples {
            let next = point(at: Double(sample) / Double(Self.samples))
            lengths.append(length + hypot(Double(next.x - last.x), Double(next.y - last.y)))
            last = next
        }
    }

    static func mix(_ one: CGPoint, _ other: CGPoint, _ share: Double) -> CGPoint {
        CGPoint(x: one.x + (other.x - one.x) * CGFloat(share), y: one.y + (other.y - one.y) * CGFloat(share))
    }

    func point(at share: Double) -> CGPoint { split(at: share).0.end }

    /// The curve parameter at a fraction of the length.
    func position(at share: Double) -> Double {
        let wanted = share * length
        let sample = lengths.firstIndex { $0 >= wanted } ?? Self.samples
        guard sample > 0 else { return 0 }
        let (before, after) = (lengths[sample - 1], lengths[sample])
        let inside = after > before ? (wanted - before) / (after - before) : 0
        return (Double(sample - 1) + inside) / Double(Self.samples)
    }

    private typealias Four = (start: CGPoint, one: CGPoint, two: CGPoint, end: CGPoint)

    private func split(at share: Double) -> (Four, Four) {
        let ab = Self.mix(start, control1, share)
        let bc = Self.mix(control1, control2, share)
        let cd = Self.mix(control2, end, share)
        let (abc, bcd) = (Self.mix(ab, bc, share), Self.mix(bc, cd, share))
        let middle = Self.mix(abc, bcd, share)
        return ((start, ab, abc, middle), (middle, bcd, cd, end))
    }

    func part(from low: Double, to high: Double) -> Segment {
        let before = high < 1 ? Segment(split(at: high).0) : self
        guard low > 0, high > 0 else { return before }
        return Segment(before.split(at: low / high).1)
    }
    private init(_ four: Four) { self.init(four.start, four.one, four.two, four.end) }

    static func all(of path: Path) -> [Segment] {
        var segments: [Segment] = []
        var (first, here) = (CGPoint.zero, CGPoint.zero)
        for element in path.elements {
            switch element {
            case .move(let point): (first, here) = (point, point)
            case .line(let point):
                segments.append(line(here, point))
                here = point
            case .quadCurve(let point, let control):
                segments.append(
                    Segment(here, mix(here, control, 2 / 3), mix(point, control, 2 / 3), point))
                here = point
            case .curve(let point, let one, let two):
                segments.append(Segment(here, one, two, point))
                here = point
            case .closeSubpath:
                if here != first { segments.append(line(here, first)) }
                here = first
            }
        }
        return segments
    }

    private static func line(_ from: CGPoint, _ to: CGPoint) -> Segment {
        Segment(from, mix(from, to, 1 / 3), mix(from, to, 2 / 3), to)
    }
}
