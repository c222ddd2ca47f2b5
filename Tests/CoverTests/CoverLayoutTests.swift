import Testing

@testable import CoverCore

/// Which parts are shown in little space.
@Suite struct CoverLayoutTests {
    /// Heights as they are about on a screen.
    private static func height(_ layout: CoverLayout) -> Int {
        let sizes = StyleSheet.Sizes.of(layout.scale)
        var height = 2 * sizes.margin + Int(sizes.button * 2) + 2 * sizes.buttonPadding.0
        if layout.showsTitle { height += Int(sizes.title * 2) + sizes.gap }
        if layout.showsSubtitle { height += Int(sizes.subtitle * 4) + 2 * sizes.gap }
        if layout.showsIcon { height += sizes.icon + 2 * sizes.gap }
        return height
    }

    private static func layout(_ width: Int, _ height: Int, text: Double = 1) -> CoverLayout {
        CoverLayout.fitting(width: width, height: height, text: text) { Int(Double(Self.height($0)) * text) }
    }

    @Test func everythingIsShownWhereItFits() {
        for (width, height, scale) in [
            (640, 480, CoverLayout.Scale.normal), (1_920, 1_080, .large), (3_840, 2_160, .huge),
            (360, 240, .small),
        ] {
            #expect(Self.layout(width, height) == CoverLayout(scale: scale), "\(width) x \(height)")
        }
    }

    @Test func theIconGoesFirstThenTheSubtitleThenTheTitle() {
        var last = 4
        for height in stride(from: 400, through: 10, by: -2) {
            let layout = Self.layout(300, height)
            let parts = [layout.showsIcon, layout.showsSubtitle, layout.showsTitle]
            #expect(parts == parts.sorted { !$0 && $1 }, "\(height): \(layout)")
            if layout.scale == .tiny {
                let count = parts.count { $0 }
                #expect(count <= last, "\(height)")
                last = count
            }
        }
        #expect(last == 0, "in the end there are only the buttons, and they scroll")
        let smallest = Self.layout(CoverLimits.smallest.width, CoverLimits.smallest.height)
        #expect(smallest.showsTitle && !smallest.showsIcon)
    }

    /// That a press ends the app without saving, above all.
    @Test func aSubtitleThatMustBeReadIsNeverLeftOut() {
        for height in stride(from: 400, through: 10, by: -2) {
            let layout = CoverLayout.fitting(width: 300, height: height, keepsSubtitle: true, text: 1) {
                Self.height($0)
            }
            #expect(layout.showsSubtitle, "\(height): \(layout)")
        }
    }

    /// A wide and low window has no room for large texts.
    @Test func aSmallerScaleWithEverythingIsPreferred() {
        let layout = Self.layout(1_600, 260)
        #expect(layout.showsSubtitle && layout.scale != .large)
    }

    @Test func largerTextsTakeMoreRoom() {
        #expect(Self.layout(640, 480).scale == .normal)
        #expect(Self.layout(640, 480, text: 2).scale == .small)
    }
}
