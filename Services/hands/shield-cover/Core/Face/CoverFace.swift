import Contract

/// What one cover shows: a shield's look with everything that was left to the system filled in.
struct CoverFace: Equatable, Sendable {
    /// A text and its colour.
    struct Line: Equatable, Sendable {
        var text: String
        var colour: Colour
    }
    /// A button, its text and its colours.
    struct Button: Equatable, Sendable {
        var text: String
        var colour: Colour
        var background: Colour
    }
    /// The picture above the title. Files are checked by ``PictureCheck``, and not decoded yet.
    enum Icon: Equatable, Sendable {
        case hourglass
        case picture(PictureFile)

        var file: PictureFile? { if case .picture(let file) = self { file } else { nil } }
    }

    var icon = Icon.hourglass
    var title: Line
    var subtitle: Line
    var primary: Button
    var secondary: Button?
    /// Items of the secondary button's menu, without Cancel; empty: the button acts by itself.
    var menu: [MenuItem] = []

    /// An item of the menu; one without a text is left out, and the others keep their buttons.
    struct MenuItem: Equatable {
        let button: ShieldButton
        let text: String
    }

    private static let menuButtons = [ShieldButton.submenu1, .submenu2, .submenu3]
    /// Requests for more time; nil if the extension has its own secondary button, which decides then.
    var ask: AskFace?
    var background: Colour
    /// Colour of the system's own icon.
    var accent: Colour
    /// What could not be used of the look, a sentence each, for the log.
    var refused: [String] = []

    /// - Parameters:
    ///   - look: nil, or without members, is the system's default.
    ///   - name: of the shielded app or site, as given.
    init(
        _ look: ShieldLook?, of name: String, _ kind: SubjectKind, words: Words, appearance: Appearance
    ) {
        let look = look ?? ShieldLook()
        var reader = ColourReader(appearance: appearance)
        let tone = Self.tone(of: look.backgroundBlurStyle, appearance)
        let chosen = reader.colour(look.backgroundColor, "background", over: tone)
        let background = chosen ?? tone
        let isSystems = background == Palette.of(appearance).background
        let palette = isSystems ? Palette.of(appearance) : Palette.fitting(background)
        self.background = background
        accent = palette.accent
        let name = PlainText.unbroken(name, bytesMax: CoverLimits.buttonBytesMax) ?? "?"
        func line(
            _ label: ShieldLabel?, _ standard: String, _ colour: Colour, _ what: String, _ bytes: Int,
            on ground: (Colour) -> Colour
        ) -> Line {
            let text = label.flatMap {
                PlainText.of($0.text, bytesMax: bytes, isLines: bytes > CoverLimits.titleBytesMax)
            }
            let wanted = reader.colour(label?.color, what, over: background)
            let shown = (wanted ?? colour).readable(ground)
            if let wanted, wanted != shown { reader.refuse(what, "cannot be read on what is below it") }
            return Line(text: text ?? standard, colour: shown)
        }
        title = line(look.title, words.title, palette.text, "title", CoverLimits.titleBytesMax) { _ in
            background
        }
        subtitle = line(
            look.subtitle, words.subtitle(name, kind), palette.quietText, "subtitle",
            CoverLimits.subtitleBytesMax
        ) { _ in background }
        let fill = reader.colour(look.primaryButtonBackgroundColor, "button", over: background)
            ?? palette.accent
        let onFill = fill.isDark ? Colour(0xFFFFFF) : Colour(0x1B1B1F)
        let label = line(
            look.primaryButtonLabel, words.primary, onFill, "button's text", CoverLimits.buttonBytesMax
        ) { _ in fill }
        primary = Button(text: label.text, colour: label.colour, background: fill)
        if let wanted = look.secondaryButtonLabel,
            PlainText.of(wanted.text, bytesMax: CoverLimits.buttonBytesMax) != nil
        {
            let label = line(
                wanted, "", isSystems ? palette.accentText : palette.text, "second button's text",
                CoverLimits.buttonBytesMax
            ) { Self.soft($0, on: background) }
            secondary = Button(
                text: label.text, colour: label.colour, background: Self.soft(label.colour, on: background))
            menu = zip(Self.menuButtons, look.secondaryButtonSubmenuItems ?? []).compactMap { button, item in
                PlainText.of(item, bytesMax: CoverLimits.buttonBytesMax).map {
                    MenuItem(button: button, text: $0)
                }
            }
        }
        icon = Self.icon(look.icon, appearance, &reader.refused)
        refused = reader.refused
    }

    /// This face with the built-in way to more time, unless the look has a secondary button of its own.
    func offering(_ ask: AskFace, words: Words, appearance: Appearance) -> CoverFace {
        guard secondary == nil else { return self }
        var face = self
        face.ask = ask
        if let text = ask.text {
            face.subtitle.text = ask.isBelowSubtitle ? "\(face.subtitle.text)\n\(text)" : text
        }
        let system = Palette.of(appearance)
        let colour = background == system.background ? system.accentText : Palette.fitting(background).text
        let label: String? = switch ask.offer {
        case .page: words.ask.ask
        case .act(.allow): words.ask.allow
        case .act: words.ask.minute
        case nil: nil
        }
        let shown = colour.readable { Self.soft($0, on: background) }
        face.secondary = label.map {
            Button(text: $0, colour: shown, background: Self.soft(shown, on: background))
        }
        return face
    }

    /// This face with what became of the wish to close the app, before all else that the subtitle says.
    /// - Parameter mayAsk: whether more time can be asked for now.
    func telling(
        _ closing: CoverClosing?, of about: CoveredWindow, mayAsk: Bool, words: Words
    ) -> CoverFace {
        guard let closing else { return self }
        var face = self
        let name = PlainText.unbroken(
            about.name.isEmpty ? about.app : about.name, bytesMax: CoverLimits.buttonBytesMax)
        let told = words.closing(closing, name ?? "?", primary.text)
        let hasMinute = mayAsk && ask?.choices.contains { $0.hasMinute } ?? false
        let minute = hasMinute && closing == .stayed ? words.minuteToSave : nil
        face.subtitle.text = ([told, minute, ask?.text] as [String?]).compactMap(\.self)
            .joined(separator: " ")
        return face
    }

    /// The ground of a secondary button: its text's colour, thinly.
    static func soft(_ colour: Colour, on background: Colour) -> Colour {
        colour.laid(over: background, alpha: 0.12)
    }

    // MARK: the parts

    /// Reads colours, and notes those that are none.
    private struct ColourReader {
        var appearance: Appearance
        var refused: [String] = []

        mutating func colour(_ colour: ShieldColor?, _ what: String, over ground: Colour) -> Colour? {
            guard let colour else { return nil }
            let text = appearance == .dark ? colour.dark ?? colour.light : colour.light
            if let colour = Colour(text, over: ground) { return colour }
            refuse(what, "is not #RRGGBB or #RRGGBBAA")
            return nil
        }

        mutating func refuse(_ what: String, _ why: String) {
            refused.append("the colour of the \(what) \(why)")
        }
    }

    /// The opaque colour of a blur style (UIBlurEffect.Style): nothing behind a cover may be read.
    private static func tone(of style: String?, _ appearance: Appearance) -> Colour {
        guard let style else { return Palette.of(appearance).background }
        let isDark = style.hasSuffix("Dark") || style == "dark" || style == "extraDark"
        let isLight = style.hasSuffix("Light") || style == "light" || style == "extraLight"
        let shown: Appearance = isDark ? .dark : isLight ? .light : appearance
        let base = Palette.of(shown).background
        // The thicker the material, the less of what is behind colours it.
        let strength = style.includes("UltraThin") ? 0.16 : style.includes("Thin") ? 0.1
            : style.includes("Thick") || style.includes("Chrome") ? 0 : 0.05
        return Colour(0x808088).laid(over: base, alpha: strength)
    }

    private static func icon(
        _ image: ShieldImage?, _ appearance: Appearance, _ refused: inout [String]
    ) -> Icon {
        guard let image, image.systemName != "hourglass" else { return .hourglass }
        let isDark = appearance == .dark
        do throws(PictureCheck.Refusal) {
            if let png = isDark ? image.pngDark ?? image.png : image.png {
                return .picture(PictureFile(kind: .png, bytes: try PictureCheck.png(png)))
            }
            if let svg = isDark ? image.svgDark ?? image.svg : image.svg {
                return .picture(PictureFile(kind: .svg, bytes: try PictureCheck.svg(svg)))
            }
        } catch {
            refused.append("the icon is not shown: \(error.reason)")
        }
        return .hourglass
    }
}

extension Palette {
    /// The accent as a text on the system's background.
    var accentText: Colour {
        background.isDark ? accent.laid(over: Colour(0xFFFFFF), alpha: 0.6) : accent
    }
}
