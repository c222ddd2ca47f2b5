/// The style of covers. Everything is set here, so that a theme changes nothing but the font.
enum StyleSheet {
    /// Sizes of one scale. Texts are in points, so that the person's text size applies.
    struct Sizes {
        var icon: Int, title: Double, subtitle: Double, button: Double
        var margin: Int, gap: Int, buttonPadding: (Int, Int), buttonWidth: Int

        static func of(_ scale: CoverLayout.Scale) -> Sizes {
            switch scale {
            case .tiny:
                Sizes(
                    icon: 24, title: 10.5, subtitle: 8, button: 8.5, margin: 5, gap: 3, buttonPadding: (2, 8),
                    buttonWidth: 60)
            case .small:
                Sizes(
                    icon: 52, title: 14, subtitle: 10, button: 10, margin: 12, gap: 7, buttonPadding: (6, 16),
                    buttonWidth: 120)
            case .normal:
                Sizes(
                    icon: 88, title: 20, subtitle: 12, button: 12, margin: 24, gap: 13,
                    buttonPadding: (9, 22), buttonWidth: 220)
            case .large:
                Sizes(
                    icon: 112, title: 25, subtitle: 14.5, button: 13.5, margin: 40, gap: 18,
                    buttonPadding: (11, 26), buttonWidth: 260)
            case .huge:
                Sizes(
                    icon: 224, title: 48, subtitle: 27, button: 24, margin: 64, gap: 34,
                    buttonPadding: (21, 48), buttonWidth: 500)
            }
        }
    }

    /// The rules of all covers.
    static var common: String {
        """
        .shield-cover, .shield-cover scrolledwindow, .shield-cover viewport { all: unset; }
        .shield-cover label { all: unset; }
        .shield-cover .title { font-weight: 700; }
        .shield-cover button {
          all: unset; font-weight: 600; transition: filter 120ms ease-out, box-shadow 120ms ease-out;
        }
        .shield-cover button:hover { filter: brightness(1.08); }
        .shield-cover button:active { filter: brightness(0.9); }
        .shield-cover button:disabled, .shield-cover.waiting button { filter: opacity(0.45); }
        .shield-cover entry, .shield-cover entry > text, .shield-cover entry > text > placeholder,
        .shield-cover entry > text > selection { all: unset; }
        .shield-cover scrollbar, .shield-cover scrollbar range, .shield-cover scrollbar trough { all: unset; }
        .shield-cover scrollbar slider {
          all: unset;
          background: rgba(128,128,136,0.6); border-radius: 4px; min-width: 5px;
        }
        """ + CoverLayout.Scale.allCases.map(rules).joined()
    }

    private static func rules(_ scale: CoverLayout.Scale) -> String {
        let sizes = Sizes.of(scale)
        let (high, wide) = sizes.buttonPadding
        return """
            .shield-cover .\(scale.rawValue) .title { font-size: \(sizes.title)pt; }
            .shield-cover .\(scale.rawValue) .subtitle { font-size: \(sizes.subtitle)pt; }
            .shield-cover .\(scale.rawValue) button {
              font-size: \(sizes.button)pt; padding: \(high)px \(wide)px; border-radius: \(high + 5)px;
              min-width: \(sizes.buttonWidth - 2 * wide)px;
            }
            .shield-cover .\(scale.rawValue) .page { min-width: \(sizes.buttonWidth)px; }
            .shield-cover .\(scale.rawValue) .page button {
              min-width: 0px; padding: \(high)px \(max(6, wide * 2 / 3))px;
            }
            .shield-cover .\(scale.rawValue) entry {
              font-size: \(sizes.button)pt; padding: \(high)px \(max(6, wide * 2 / 3))px;
              border-radius: \(high + 5)px;
            }

            """
    }

    /// The colours of a face, for covers of this class.
    static func colours(of face: CoverFace, style: String) -> String {
        let ring = face.background.isDark ? "rgba(255,255,255,0.85)" : "rgba(0,0,0,0.75)"
        let ground = face.background.css
        var rules = """
            .shield-cover.\(style) { background-color: \(ground); }
            .shield-cover.\(style) .title { color: \(face.title.colour.css); }
            .shield-cover.\(style) .subtitle { color: \(face.subtitle.colour.css); }
            .shield-cover.\(style) .primary {
              color: \(face.primary.colour.css); background-color: \(face.primary.background.css);
            }
            .shield-cover.\(style) button:focus-visible {
              box-shadow: 0 0 0 2px \(ground), 0 0 0 4px \(ring);
            }

            """
        let second = face.secondary?.colour ?? face.accent
        let soft = CoverFace.soft(second, on: face.background)
        rules += """
            .shield-cover.\(style) .secondary { color: \(second.css); background-color: \(soft.css); }

            """
        return rules + page(of: face, style: style, ring: ring)
    }

    /// The colours of the page on which more time is asked for.
    private static func page(of face: CoverFace, style: String, ring: String) -> String {
        let text = face.title.colour, ground = face.background
        let field = text.laid(over: ground, alpha: 0.05), edge = text.laid(over: ground, alpha: 0.3)
        let faint = text.laid(over: ground, alpha: 0.6), chosen = face.primary
        let marked = face.accent.laid(over: ground, alpha: 0.35)
        return """
            .shield-cover.\(style) .plain { color: \(text.css); font-weight: 500; }
            .shield-cover.\(style) .plain:hover { background-color: \(field.css); }
            .shield-cover.\(style) .choice {
              color: \(text.css); background-color: \(field.css); font-weight: 500;
            }
            .shield-cover.\(style) .choice:checked {
              color: \(chosen.colour.css); background-color: \(chosen.background.css);
            }
            .shield-cover.\(style) entry {
              color: \(text.css); background-color: \(field.css); caret-color: \(text.css);
              box-shadow: inset 0 0 0 1px \(edge.css);
            }
            .shield-cover.\(style) entry:focus-within { box-shadow: inset 0 0 0 2px \(ring); }
            .shield-cover.\(style) entry > text > placeholder { color: \(faint.css); }
            .shield-cover.\(style) entry > text > selection { background-color: \(marked.css); }

            """
    }
}
