import Testing

@testable import CoverCore

/// Where the content of a cover is that is partly off the screen.
@Suite struct VisiblePartTests {
    private static let left = Frame(x: 0, y: 30, width: 1_000, height: 670)
    private static let right = Frame(x: 1_000, y: 0, width: 1_920, height: 1_080)

    /// The part in pixels, if a unit of GTK is one.
    private func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Frame {
        let frame = Frame(x: x, y: y, width: width, height: height)
        let part = VisiblePart(of: frame, on: [Self.left, Self.right], unit: 1)
        return Frame(
            x: x + part.left, y: y + part.top, width: width - part.left - part.right,
            height: height - part.top - part.bottom)
    }

    @Test func whatIsOnOneMonitorStays() {
        #expect(part(10, 40, 300, 200) == Frame(x: 10, y: 40, width: 300, height: 200))
        #expect(part(0, 30, 1_000, 670) == Self.left)
    }

    @Test func theLargestPartOnOneMonitorCounts() {
        #expect(part(-200, -200, 900, 600) == Frame(x: 0, y: 30, width: 700, height: 370))
        #expect(part(900, 100, 1_000, 400) == Frame(x: 1_000, y: 100, width: 900, height: 400))
        #expect(part(300, 100, 1_000, 400) == Frame(x: 300, y: 100, width: 700, height: 400))
        #expect(part(-500, -500, 4_000, 3_000) == Self.right)
    }

    @Test func whatNobodySeesIsLaidOutAsAWhole() {
        #expect(part(-900, 100, 800, 400) == Frame(x: -900, y: 100, width: 800, height: 400))
        #expect(VisiblePart(of: Self.left, on: [], unit: 1) == VisiblePart())
    }

    /// A strip at the edge of the screen: the buttons need some room.
    @Test func itIsNotSmallerThanTheSmallestCover() {
        let (width, height) = CoverLimits.smallest
        let corner = part(-790, -160, 800, 200)
        #expect(corner.width == width && corner.height == height, "\(corner)")
        #expect(corner.x + corner.width == 10 && corner.y + corner.height == 40, "it has what is visible")
        #expect(part(2_910, 1_070, 60, 40) == Frame(x: 2_910, y: 1_070, width: 60, height: 40))
    }

    @Test func unitsOfGTKAreRoundedInwards() {
        let frame = Frame(x: -3, y: 0, width: 1_200, height: 800)
        let part = VisiblePart(of: frame, on: [Frame(x: 0, y: 0, width: 1_000, height: 701)], unit: 2)
        #expect((part.left, part.top, part.right, part.bottom) == (2, 0, 99, 50))
    }
}
