import Testing

@testable import CoverCore

/// The covered program says how wide its shadows are; it may say anything.
@Suite struct FrameTests {
    private static let window = Frame(x: 10, y: 20, width: 800, height: 600)

    @Test func shadowsAreLeftOut() {
        let inner = Self.window.without(shadows: [20, 20, 10, 30])
        #expect(inner == Frame(x: 30, y: 30, width: 760, height: 560))
    }

    @Test(arguments: [
        [900, 0, 0, 0], [0, 0, 0, 4_294_967_295], [250, 250, 0, 0], [0, 0, 200, 200], [-1, 0, 0, 0],
    ])
    func whatNoShadowCanBeIsIgnored(shadows: [Int]) {
        #expect(Self.window.without(shadows: shadows) == Self.window)
    }

    @Test func aSmallWindowKeepsItsSize() {
        let small = Frame(x: 0, y: 0, width: 20, height: 20)
        #expect(small.without(shadows: [10, 10, 10, 10]) == small)
    }
}
