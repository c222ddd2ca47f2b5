import Contract
import ExtensionLink
import Foundation
import JSON
import ManagedSettingsUI
import Testing

@Suite struct ShieldConfigurationTests {
    @Test func nothingSaidIsLeftToTheSystem() throws {
        #expect(ShieldConfiguration().look.text == "{}")
        let request = Requests.application("com.example.game", category: nil)
        #expect(try ShieldConfigurationDataSource().look(request).text == "{}")
    }

    @Test func everyPropertyTravels() throws {
        let look = ShieldConfiguration(
            backgroundBlurStyle: .systemThickMaterialDark, backgroundColor: .systemBackground,
            icon: UIImage(systemName: "hourglass")?.withTintColor(.systemRed),
            title: .init(text: "집중", color: .label), subtitle: .init(text: "later", color: .secondaryLabel),
            primaryButtonLabel: .init(text: "OK", color: .white), primaryButtonBackgroundColor: .systemBlue,
            secondaryButtonLabel: .init(text: "More", color: .link),
            secondaryButtonSubmenuItems: ["5 min", "15 min", "1 h", "never"]
        ).look
        #expect(look.backgroundBlurStyle == "systemThickMaterialDark")
        #expect(look.backgroundColor?.light == "#FFFFFF" && look.backgroundColor?.dark == "#000000")
        #expect(look.title?.text == "집중" && look.title?.color?.dark == "#FFFFFF")
        #expect(look.subtitle?.color?.light == "#3C3C4399")
        #expect(look.primaryButtonLabel?.color?.dark == nil, "the same in the dark")
        #expect(look.primaryButtonBackgroundColor?.light == "#007AFF")
        #expect(look.secondaryButtonSubmenuItems == ["5 min", "15 min", "1 h"])
        #expect(look.icon?.systemName == "hourglass")
        #expect(
            look.icon?.svg?.contains("#FF3B30") == true && look.icon?.svgDark?.contains("#FF453A") == true)
        #expect(try ShieldLook.decode(Array(look.text.utf8)).text == look.text)
    }

    @Test func aDynamicColourIsAskedForLightAndDark() {
        let color = UIColor { $0.userInterfaceStyle == .dark ? .black : .white }
        let look = ShieldConfiguration(backgroundColor: color).look
        #expect(look.backgroundColor?.light == "#FFFFFF" && look.backgroundColor?.dark == "#000000")
    }

    @Test func longTextsAreCutAtWholeCharacters() {
        let text = String(repeating: "👨‍👩‍👧‍👦", count: 1_000)
        let shown = ShieldConfiguration(title: .init(text: text, color: .black)).look.title?.text ?? ""
        #expect(shown.utf8.count <= Limits.textBytesMax && shown.hasSuffix("👨‍👩‍👧‍👦…"))
    }

    @Test(arguments: [0, 1, 2, 3]) func eachShieldAsksItsOwnOverload(which: Int) throws {
        var request =
            which < 2
            ? Requests.application("com.example.game", category: nil) : Requests.domain("example.org")
        if which % 2 == 1 {
            request.category = ShieldedSubject(token: "token:Yw==", name: "games", displayName: "Games")
        }
        let title = try Names().look(request).title?.text
        #expect(
            title
                == [
                    "app com.example.game Game", "app Game in Games", "site example.org",
                    "site example.org in Games",
                ][which])
    }

    @Test func aRequestForNothingIsRefused() {
        #expect(throws: ServiceError.self) { try Names().look(ShieldConfigure.Params()) }
    }

    private final class Names: ShieldConfigurationDataSource {
        override init() { super.init() }

        override func configuration(shielding application: Application) -> ShieldConfiguration {
            #expect(application.token != nil)
            return Self.titled(
                "app \(application.bundleIdentifier ?? "?") \(application.localizedDisplayName ?? "?")")
        }
        override func configuration(
            shielding application: Application, in category: ActivityCategory
        ) -> ShieldConfiguration {
            Self.titled(
                "app \(application.localizedDisplayName ?? "?") in \(category.localizedDisplayName ?? "?")")
        }
        override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
            Self.titled("site \(webDomain.domain ?? "?")")
        }
        override func configuration(
            shielding webDomain: WebDomain, in category: ActivityCategory
        ) -> ShieldConfiguration {
            Self.titled("site \(webDomain.domain ?? "?") in \(category.localizedDisplayName ?? "?")")
        }

        private static func titled(_ text: String) -> ShieldConfiguration {
            ShieldConfiguration(title: .init(text: text, color: .label))
        }
    }
}

@Suite struct ShieldIconTests {
    @Test func aPNGTravelsAsItIs() throws {
        let file = try #require(UIImage(data: try Picture.file(edge: 8)))
        let icon = try #require(ShieldConfiguration(icon: file).look.icon)
        #expect(try icon.png == Picture.file(edge: 8).base64EncodedString() && icon.svg == nil)
    }

    @Test func aTintedOrDrawnOneTravelsAsVectors() throws {
        let file = try #require(UIImage(data: try Picture.file(edge: 8)))
        let tinted = ShieldConfiguration(icon: file.withTintColor(.systemGreen)).look.icon
        #expect(tinted?.png == nil && tinted?.svg?.contains("feFlood") == true)
        let drawn = UIGraphicsImageRenderer(size: CGSize(width: 60, height: 60)).image { context in
            UIColor.purple.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 60, height: 60))
        }
        #expect(ShieldConfiguration(icon: drawn).look.icon?.svg?.contains("#800080") == true)
        #expect(ShieldConfiguration(icon: UIImage()).look.icon == nil)
    }

    @Test func oneThatIsTooLargeIsMadeSmaller() throws {
        let large = try #require(UIImage(data: try Picture.file(edge: 380)))
        let icon = try #require(ShieldConfiguration(icon: large).look.icon)
        let data = try #require(icon.png.flatMap { Data(base64Encoded: $0) })
        let smaller = try #require(UIImage(data: data))
        #expect(smaller.size.width == 190 && (icon.png?.utf8.count ?? 0) <= ShieldImage.bytesMax)
    }

    @Test func oneThatCannotBeReadIsLeftOut() throws {
        var damaged = try Picture.file(edge: 380)
        damaged[damaged.count / 2] ^= 0xFF  // Inside of the picture.
        let image = try #require(UIImage(data: damaged))
        #expect(ShieldConfiguration(icon: image).look.icon == nil)
    }
}

private enum Requests {
    static func application(_ name: String, category: String?) -> ShieldConfigure.Params {
        var params = ShieldConfigure.Params()
        params.application = ShieldedSubject(token: "token:AAEC", name: name, displayName: "Game")
        return params
    }

    static func domain(_ name: String) -> ShieldConfigure.Params {
        var params = ShieldConfigure.Params()
        params.webDomain = ShieldedSubject(token: "token:AAEC", name: name)
        return params
    }
}

/// Pictures of noise, which no file makes small.
private enum Picture {
    static func file(edge: Int) throws -> Data {
        var state: UInt64 = 1
        let pixels = (0..<edge * edge * 4).map { index -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 56)
        }
        return try #require(PNG(width: edge, height: edge, pixels: pixels).file)
    }
}

extension ShieldLook {
    fileprivate var text: String { String(decoding: RawJSON(encoding: self).bytes, as: UTF8.self) }
}
