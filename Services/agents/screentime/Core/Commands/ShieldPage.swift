import Contract
import ServiceKit

/// What stands before a shielded app or domain, as a small page.
struct ShieldPage {
    private let screen: ShieldScreen
    private var look: ShieldLook { screen.look }

    init(_ screen: ShieldScreen) { self.screen = screen }

    var html: String {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(PagePolicy.contentSecurity)">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark"><title>\(HTMLText.escaped(title))</title>
        <style>
        :root { \(variables(dark: false)) }
        @media (prefers-color-scheme: dark) { :root { \(variables(dark: true)) } }
        body { margin: 0; background: var(--background); text-align: center;
          font: 17px/1.4 system-ui, sans-serif }
        main { min-height: 100vh; display: flex; flex-direction: column; align-items: center;
          justify-content: center; gap: 12px; padding: 24px; box-sizing: border-box }
        .icon img { width: 72px; height: 72px; object-fit: contain }
        h1 { margin: 0; font-size: 22px; color: var(--title) }
        p { margin: 0; max-width: 32em; color: var(--subtitle); white-space: pre-line }
        button { font: inherit; border: 0; border-radius: 12px; padding: 12px 28px; min-width: 200px }
        .primary { margin-top: 20px; background: var(--primary-background); color: var(--primary) }
        .secondary { background: none; color: var(--secondary) }
        small { margin-top: 20px; color: var(--subtitle) }
        </style></head><body><main>
        \(parts.joined(separator: "\n"))
        </main></body></html>
        """
    }

    private var title: String { look.title?.text ?? "Restricted" }

    private var parts: [String] {
        var parts: [String] = []
        if let picture { parts.append("<div class=\"icon\">\(picture)</div>") }
        parts.append("<h1>\(HTMLText.escaped(title))</h1>")
        if let subtitle = look.subtitle { parts.append("<p>\(HTMLText.escaped(subtitle.text))</p>") }
        let primary = look.primaryButtonLabel?.text ?? "OK"
        parts.append("<button class=\"primary\">\(HTMLText.escaped(primary))</button>")
        if let secondary = look.secondaryButtonLabel {
            parts.append("<button class=\"secondary\">\(HTMLText.escaped(secondary.text))</button>")
        }
        for item in look.secondaryButtonSubmenuItems ?? [] {
            parts.append("<button class=\"secondary\">\(HTMLText.escaped(item))</button>")
        }
        if let explanation = screen.explanation {
            parts.append("<small>\(HTMLText.escaped(explanation))</small>")
        }
        return parts
    }

    /// As an image, so that nothing in it can run or load anything.
    private var picture: String? {
        guard let icon = look.icon else { return nil }
        func source(_ png: String?, _ svg: String?) -> String? {
            if let png { return "data:image/png;base64,\(png)" }
            return svg.map { "data:image/svg+xml;base64,\(Base64.text(Array($0.utf8)))" }
        }
        guard let light = source(icon.png, icon.svg) else { return nil }
        let dark = source(icon.pngDark, icon.svgDark).map {
            "<source media=\"(prefers-color-scheme: dark)\" srcset=\"\(HTMLText.escaped($0))\">"
        }
        return "<picture>\(dark ?? "")<img alt=\"\" src=\"\(HTMLText.escaped(light))\"></picture>"
    }

    private func variables(dark: Bool) -> String {
        func color(_ color: ShieldColor?, _ light: String, _ darkDefault: String) -> String {
            let chosen = dark ? color?.dark ?? color?.light : color?.light
            return chosen.flatMap(Self.checked) ?? (dark ? darkDefault : light)
        }
        return [
            "--background: \(color(look.backgroundColor, "#f2f2f7", "#1c1c1e"))",
            "--title: \(color(look.title?.color, "#000000", "#ffffff"))",
            "--subtitle: \(color(look.subtitle?.color, "#3c3c43", "#ebebf5"))",
            "--primary: \(color(look.primaryButtonLabel?.color, "#ffffff", "#ffffff"))",
            "--primary-background: \(color(look.primaryButtonBackgroundColor, "#007aff", "#0a84ff"))",
            "--secondary: \(color(look.secondaryButtonLabel?.color, "#007aff", "#0a84ff"))",
        ].joined(separator: "; ")
    }

    /// Only a colour, whatever an extension said.
    private static func checked(_ text: String) -> String? {
        let digits = text.dropFirst()
        guard text.first == "#", [6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return text
    }
}
