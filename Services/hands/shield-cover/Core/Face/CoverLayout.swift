/// Which parts of a face fit into a cover, and how large they are. A rule without GTK.
struct CoverLayout: Equatable, Sendable {
    /// Sizes of text and space; the style sheet has a class for each.
    enum Scale: String, CaseIterable, Sendable { case tiny, small, normal, large, huge }

    var scale: Scale
    var showsIcon = true
    var showsSubtitle = true
    var showsTitle = true

    /// The largest layout that fits. The icon is left out first, then the subtitle, then the title; if the
    /// buttons alone do not fit, they scroll.
    /// - Parameters:
    ///   - keepsSubtitle: whether it must be read before a button is pressed: the title is left out instead,
    ///     and the buttons scroll if they must.
    ///   - text: how much larger than usual the person's texts are; 1 is usual.
    ///   - height: the height that a layout needs at this width.
    static func fitting(
        width: Int, height: Int, keepsSubtitle: Bool = false, text: Double, needs: (CoverLayout) -> Int
    ) -> CoverLayout {
        let scale = scale(width: width, height: height, text: text)
        var best = CoverLayout(scale: scale)
        let order = Scale.allCases.firstIndex(of: scale) ?? 0
        for smaller in Scale.allCases[...order].reversed() {
            for layout in all(smaller, keepsSubtitle) {
                best = layout
                // A smaller scale with everything is better than a larger one without the subtitle.
                if !layout.showsSubtitle, smaller != .tiny { break }
                if needs(layout) <= height { return layout }
            }
        }
        return best
    }

    private static func all(_ scale: Scale, _ keepsSubtitle: Bool) -> [CoverLayout] {
        let first = [CoverLayout(scale: scale), CoverLayout(scale: scale, showsIcon: false)]
        guard !keepsSubtitle else {
            return first + [CoverLayout(scale: scale, showsIcon: false, showsTitle: false)]
        }
        return first + [
            CoverLayout(scale: scale, showsIcon: false, showsSubtitle: false),
            CoverLayout(scale: scale, showsIcon: false, showsSubtitle: false, showsTitle: false),
        ]
    }

    private static func scale(width: Int, height: Int, text: Double) -> Scale {
        func fits(_ wide: Double, _ high: Double) -> Bool {
            Double(width) >= wide * text && Double(height) >= high * text
        }
        if fits(2_400, 1_300) { return .huge }
        if fits(1_100, 640) { return .large }
        if fits(420, 340) { return .normal }
        if fits(240, 180) { return .small }
        return .tiny
    }
}
