import Contract
import Testing

@testable import CoverCore

/// From a shield's look to what is shown, without GTK.
@Suite struct CoverFaceTests {
    private static func face(
        _ look: ShieldLook?, _ appearance: Appearance = .light, words: Words = .english
    ) -> CoverFace {
        CoverFace(look, of: "Marble Game", .app, words: words, appearance: appearance)
    }

    @Test func theDefaultIsTheSystems() {
        let face = Self.face(nil)
        #expect(face.icon == .hourglass && face.title.text == "Restricted" && face.primary.text == "Close")
        #expect(face.subtitle.text == "You cannot use “Marble\u{A0}Game” because it is restricted.")
        #expect(face.secondary == nil && face.menu.isEmpty && face.refused.isEmpty)
        #expect(face == Self.face(ShieldLook()), "a look without members is the default")
        #expect(Self.face(nil, words: .korean).primary.text == "닫기")
        #expect(Self.face(nil, .dark).background.isDark && !face.background.isDark)
    }

    @Test func everythingThatIsGivenIsTaken() {
        let look = ShieldLook(
            backgroundColor: ShieldColor(light: "#102030", dark: "#FFFFFF"),
            icon: ShieldImage(systemName: "hourglass", svg: "<svg/>"),
            title: ShieldLabel(text: "Later", color: ShieldColor(light: "#FF0000")),
            subtitle: ShieldLabel(text: "two\nlines"),
            primaryButtonLabel: ShieldLabel(text: "Close"),
            primaryButtonBackgroundColor: ShieldColor(light: "#00ff00"),
            secondaryButtonLabel: ShieldLabel(text: "Ask"),
            secondaryButtonSubmenuItems: ["a", "b", "c", "d"])
        let face = Self.face(look)
        #expect(face.background == Colour(0x102030) && face.title.colour == Colour(0xFF0000))
        #expect(face.title.text == "Later" && face.subtitle.text == "two\nlines")
        #expect(face.primary.text == "Close" && face.primary.background == Colour(0x00FF00))
        #expect(face.secondary?.text == "Ask" && face.menu.map(\.text) == ["a", "b", "c"])
        #expect(face.icon == .hourglass)
        #expect(face.subtitle.colour.luminance > 0.4, "readable on a dark background")
        #expect(Self.face(look, .dark).background == Colour(0xFFFFFF))
    }

    @Test(arguments: [
        "", "#", "red", "#12345", "#1234567", "#12345G", "102030", "#1020300", "#10203040FF", "＃102030",
    ])
    func aBadColourIsTheDefault(_ text: String) {
        let look = ShieldLook(
            backgroundColor: ShieldColor(light: text), primaryButtonBackgroundColor: ShieldColor(light: text))
        let face = Self.face(look)
        #expect(face.background == Self.face(nil).background && face.primary == Self.face(nil).primary)
        #expect(face.refused.count == 2)
    }

    @Test func nothingShowsThrough() {
        let glass = Self.face(ShieldLook(backgroundColor: ShieldColor(light: "#00000000")))
        #expect(glass.background == Self.face(nil).background)
        let half = Self.face(ShieldLook(backgroundColor: ShieldColor(light: "#00000080")))
        #expect(half.background.luminance < glass.background.luminance && half.background.red > 0.3)
        let styles = ["systemMaterialDark", "dark", "systemChromeMaterialDark", "systemUltraThinMaterialDark"]
        for style in styles {
            #expect(Self.face(ShieldLook(backgroundBlurStyle: style)).background.isDark, "\(style)")
        }
        for style in ["extraLight", "systemThinMaterialLight"] {
            let face = Self.face(ShieldLook(backgroundBlurStyle: style), .dark)
            #expect(!face.background.isDark && face.title.colour.isDark, "\(style)")
        }
        #expect(Self.face(ShieldLook(backgroundBlurStyle: "unknown"), .dark).background.isDark)
    }

    @Test func textsAreShortenedAndLiteral() throws {
        let huge = String(repeating: "가나 ", count: 300_000)
        let look = ShieldLook(
            title: ShieldLabel(text: huge), subtitle: ShieldLabel(text: huge),
            primaryButtonLabel: ShieldLabel(text: huge), secondaryButtonLabel: ShieldLabel(text: huge),
            secondaryButtonSubmenuItems: [huge])
        let face = Self.face(look)
        #expect(face.title.text.utf8.count <= CoverLimits.titleBytesMax && face.title.text.hasSuffix("…"))
        #expect(face.subtitle.text.utf8.count <= CoverLimits.subtitleBytesMax)
        for text in [face.primary.text, face.menu[0].text, try #require(face.secondary).text] {
            #expect(text.utf8.count <= CoverLimits.buttonBytesMax)
        }
        let exact = String(repeating: "x", count: CoverLimits.titleBytesMax)
        #expect(Self.face(ShieldLook(title: ShieldLabel(text: exact))).title.text == exact)
        let markup = "<b>&amp; _x</b>"
        #expect(Self.face(ShieldLook(title: ShieldLabel(text: markup))).title.text == markup)
    }

    @Test func nothingReordersOrHidesText() {
        let evil = "gpj\u{202E}exe.\u{2066}\u{200B}\u{1B}[2J\nx"
        let face = Self.face(
            ShieldLook(title: ShieldLabel(text: evil), subtitle: ShieldLabel(text: evil)))
        #expect(face.title.text == "gpjexe.[2J x" && face.subtitle.text == "gpjexe.[2J\nx")
        let named = CoverFace(nil, of: "a\u{202E}b\n", .app, words: .english, appearance: .light)
        #expect(named.subtitle.text.contains("“ab\u{A0}”"))
        let blank = ShieldLook(
            primaryButtonLabel: ShieldLabel(text: "\u{202E}"),
            secondaryButtonLabel: ShieldLabel(text: " "))
        #expect(Self.face(blank).primary.text == "Close" && Self.face(blank).secondary == nil)
        #expect(Self.face(ShieldLook(title: ShieldLabel(text: "\u{200B}"))).title.text == "Restricted")
        let family = "👩‍👩‍👧"
        #expect(Self.face(ShieldLook(title: ShieldLabel(text: family))).title.text == family)
    }

    /// Without a limit one character is as wide and as high as somebody likes.
    @Test func aCharacterHasFewMarks() {
        func shown(_ text: String) -> String {
            Self.face(ShieldLook(title: ShieldLabel(text: text))).title.text
        }
        let marks = String(repeating: "\u{335}\u{336}\u{489}", count: 30)
        #expect(shown("Z" + marks + "a").unicodeScalars.count == 2 + CoverLimits.marksMax)
        #expect(shown("Z" + marks + "a").last == "a")
        #expect(shown(marks).unicodeScalars.count <= CoverLimits.marksMax)
        let joined = (0..<30).map { _ in "👩" }.joined(separator: "\u{200D}")
        #expect(shown(joined).unicodeScalars.count <= CoverLimits.scalarsMax)
        for text in ["👩🏽‍❤️‍💋‍👩🏿", "à̖̀̂", "각", "क्ष्म्य", "1️⃣", "ཧཱུྃ"] { #expect(shown(text) == text) }
    }

    /// Whatever colours a look has, its words can be read (WCAG 2: 3 to 1 for large text).
    @Test(arguments: [Appearance.light, .dark]) func wordsCanBeRead(_ appearance: Appearance) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = CoverChaosTests.Draw(state: seed)
        for round in 0..<2_000 {
            func colour() -> ShieldColor? {
                let digits = String(UInt32.random(in: 0...0xFFFFFF, using: &random), radix: 16)
                let padded = "#" + String(repeating: "0", count: 6 - digits.count) + digits
                return Bool.random(using: &random) ? ShieldColor(light: padded) : nil
            }
            let ground = colour(), fill = colour()
            // Often the same, as nobody chooses by chance.
            let look = ShieldLook(
                backgroundColor: ground,
                title: ShieldLabel(text: "a", color: round % 3 == 0 ? ground : colour()),
                subtitle: ShieldLabel(text: "b", color: colour()),
                primaryButtonLabel: ShieldLabel(text: "c", color: round % 3 == 1 ? fill : colour()),
                primaryButtonBackgroundColor: fill,
                secondaryButtonLabel: round % 2 == 0 ? ShieldLabel(text: "d", color: colour()) : nil)
            let ask = AskFace(
                nil, for: CoveredWindow(window: 1, app: "a", subject: "a"), own: "", words: .english, now: 0,
                time: { _ in "" })
            let face = Self.face(look, appearance)
                .offering(ask, words: .english, appearance: appearance)
            let second = try #require(face.secondary)
            for (words, ground) in [
                (face.title.colour, face.background), (face.subtitle.colour, face.background),
                (face.primary.colour, face.primary.background), (second.colour, second.background),
            ] { #expect(words.contrast(with: ground) >= 3, "\(words.css) on \(ground.css) of \(look)") }
        }
    }

    @Test func whatIsChangedIsLogged() {
        let black = ShieldColor(light: "#000000")
        let face = Self.face(
            ShieldLook(backgroundColor: black, title: ShieldLabel(text: "a", color: black)))
        #expect(face.title.colour == Colour(0xFFFFFF))
        #expect(face.refused == ["the colour of the title cannot be read on what is below it"])
    }

    // MARK: pictures

    static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + number(width) + number(height) + [8, 6, 0, 0, 0, 0, 0, 0, 0]
    }

    @Test(arguments: [
        (png(100_000, 1), "100000 x 1"), (png(1, 4_097), "1 x 4097"), (png(4_096, 4_096), "4096 x 4096"),
        (png(0, 5), "0 x 5"), (png(UInt32.max, UInt32.max), "4294967295"),
        (Array("GIF89a".utf8) + Array(repeating: 0, count: 40), "no PNG"), ([], "no PNG"),
    ])
    func aBadPNGIsRefused(_ bytes: [UInt8], _ reason: String) {
        let face = Self.face(ShieldLook(icon: ShieldImage(png: Base64.text(bytes))))
        #expect(face.icon == .hourglass)
        #expect(face.refused.first?.contains(reason) == true, "\(face.refused)")
    }

    @Test func aPictureWithinTheLimitsIsTaken() {
        let small = Self.png(4_096, 1_024), other = Self.png(2, 2)
        let image = ShieldImage(png: Base64.text(small), pngDark: Base64.text(other))
        let look = ShieldLook(icon: image)
        #expect(Self.face(look).icon == .picture(PictureFile(kind: .png, bytes: small)))
        #expect(Self.face(look, .dark).icon == .picture(PictureFile(kind: .png, bytes: other)))
        let broken = Self.face(ShieldLook(icon: ShieldImage(png: "not base64!")))
        #expect(broken.icon == .hourglass)
        #expect(broken.refused == ["the icon is not shown: the PNG is not in base64"])
        let long = Self.face(
            ShieldLook(icon: ShieldImage(png: String(repeating: "A", count: ShieldImage.bytesMax * 2))))
        #expect(long.icon == .hourglass && long.refused.count == 1)
    }

    @Test(arguments: [
        "<svg><script>x()</script></svg>", "<svg><image href='http://x/y.png'/></svg>",
        "<svg><IMAGE xlink:HREF='file:///etc/passwd'/></svg>", "<svg><style>@import 'x'</style></svg>",
        "<svg fill='url(http://x)'/>", "<!DOCTYPE x [<!ENTITY a 'b'>]><svg/>", "<svg><use/></svg>",
        "<svg><foreignObject/></svg>", "<html/>", "", "<svg><filter/></svg>",
        "<?xml version='1.0' encoding='UTF-7'?><svg>+ADw-script/></svg>",
        "<?xml version=\"1.0\" encoding = \"utf-16\"?><svg/>", "<?xml encoding='UTF-32BE'?><svg/>",
        "\u{FEFF}<?XML version='1.0' ENCODING='ibm037' ?><svg/>", "<?xml encoding=utf-8?><svg/>",
        "<?xml encoding='utf-8' encoding='utf-7'?><svg/>", "<?xml encoding='UTF-8><svg/>",
        "<!-- --><?xml encoding='UTF-7'?><svg/>", "<svg/><?php x?>", "<?xml version='1.0' encoding?><svg/>",
        "<svg>\0<script/></svg>",
    ])
    func anSVGThatReachesOutIsRefused(_ text: String) {
        let face = Self.face(ShieldLook(icon: ShieldImage(svg: text)))
        #expect(face.icon == .hourglass && face.refused.count == 1, "\(text)")
    }

    @Test func aPlainSVGIsTaken() {
        let text = "<svg viewBox='0 0 24 24'><path d='M0 0h9' fill='#FF0000'/></svg>"
        func drawing(_ text: String) -> CoverFace.Icon {
            .picture(PictureFile(kind: .svg, bytes: Array(text.utf8)))
        }
        #expect(Self.face(ShieldLook(icon: ShieldImage(svg: text))).icon == drawing(text))
        for head in [
            "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n",
            "\u{FEFF}<?xml version='1.0'\n encoding = 'us-ascii' ?>",
        ] {
            let face = Self.face(ShieldLook(icon: ShieldImage(svg: head + text)))
            #expect(face.icon == drawing(head + text), "\(face.refused)")
        }
    }

    /// An item without a visible text is left out; the others keep their buttons.
    @Test func aMenusButtonsAreThoseOfTheirItems() {
        let look = ShieldLook(
            secondaryButtonLabel: ShieldLabel(text: "More"),
            secondaryButtonSubmenuItems: ["", "Call mum", "Later"])
        #expect(Self.face(look).menu.map(\.button) == [.submenu2, .submenu3])
    }
}
