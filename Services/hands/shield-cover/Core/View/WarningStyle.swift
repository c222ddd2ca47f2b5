extension StyleSheet {
    /// The style of warnings, in both appearances.
    static var warnings: String {
        """
        window.warning { all: unset; border: 1px solid; }
        window.warning.round { border-radius: 14px; }
        window.warning.chip.round { border-radius: 18px; }
        .warning label { all: unset; }
        .warning > box { border-spacing: 10px; }
        .warning.banner > box { padding: 14px 12px 14px 14px; border-spacing: 12px; }
        .warning.chip > box { padding: 7px 9px 7px 11px; border-spacing: 8px; }
        .warning .title { font-size: 11.5pt; font-weight: 700; }
        .warning .body { font-size: 10.5pt; margin-top: 2px; }
        .warning .clock, .warning .time { font-feature-settings: "tnum"; font-weight: 600; }
        .warning .clock { font-size: 15pt; margin-top: 6px; }
        .warning .time { font-size: 10.5pt; }
        .warning button { all: unset; min-width: 22px; min-height: 22px; border-radius: 11px; }
        .warning.chip button { min-width: 18px; min-height: 18px; border-radius: 9px; }
        .warning button label { font-size: 8.5pt; }

        """ + [Appearance.light, .dark].map(warnings).joined()
    }

    /// A little lighter than a cover in the dark.
    static func ground(_ appearance: Appearance) -> Colour {
        let palette = Palette.of(appearance)
        return palette.text.laid(over: palette.background, alpha: appearance == .dark ? 0.05 : 0)
    }

    private static func warnings(_ appearance: Appearance) -> String {
        let palette = Palette.of(appearance)
        let name = appearance == .dark ? "dark" : "light"
        let ground = ground(appearance)
        let edge = palette.text.laid(over: ground, alpha: 0.18)
        let soft = palette.text.laid(over: ground, alpha: 0.1)
        return """
            window.warning.\(name) { background-color: \(ground.css); border-color: \(edge.css); }
            .warning.\(name) .title, .warning.\(name) .time { color: \(palette.text.css); }
            .warning.\(name) .body, .warning.\(name) button label { color: \(palette.quietText.css); }
            .warning.\(name) .clock { color: \(palette.accentText.css); }
            .warning.\(name) button:hover { background-color: \(soft.css); }

            """
    }
}
