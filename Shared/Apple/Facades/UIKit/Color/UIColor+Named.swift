public import FoundationExtras

extension UIColor {
    /// A colour set (`NAME.colorset`) of the main bundle's asset catalogue, for light and dark.
    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    /// - Parameters:
    ///   - bundle: if nil, the main bundle.
    ///   - traitCollection: ignored, because the colour keeps both values.
    public convenience init?(
        named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?
    ) {
        guard let found = NamedColor.find(name, in: bundle ?? .main) else {
            Complaint.once("There is no colour '\(name)' in \((bundle ?? .main).bundlePath).")
            return nil
        }
        self.init(light: found.light, dark: found.dark)
    }

    /// A colour set of the asset catalogue. A missing one is clear and logged.
    public convenience init(resource: ColorResource) {
        guard let found = NamedColor.find(resource.name, in: resource.bundle) else {
            Complaint.once("There is no colour '\(resource.name)' in \(resource.bundle.bundlePath).")
            self.init(white: 0, alpha: 0)
            return
        }
        self.init(light: found.light, dark: found.dark)
    }
}

/// A colour set of an asset catalogue.
struct NamedColor {
    var light: RGBA
    var dark: RGBA

    static func find(_ name: String, in bundle: Bundle) -> NamedColor? {
        guard let directory = BundleIndex.of(bundle).set(name, kinds: ["colorset"]),
            let colors = CatalogueContents(directory: directory)?.colors
        else { return nil }
        let light = colors.first { !$0.isDark }?.color
        let dark = colors.first { $0.isDark }?.color
        guard let first = light.flatMap(value) ?? dark.flatMap(value) else { return nil }
        return NamedColor(
            light: first.appearances.light, dark: (dark.flatMap(value) ?? first).appearances.dark)
    }

    private static func value(_ color: CatalogueContents.ColorValue) -> UIColor? {
        if let reference = color.reference { return system(reference) }
        guard let parts = color.components else { return nil }
        let alpha = component(parts.alpha) ?? 1
        if let white = component(parts.white) { return UIColor(white: white, alpha: alpha) }
        guard let red = component(parts.red), let green = component(parts.green),
            let blue = component(parts.blue)
        else { return nil }
        return color.colorSpace == "display-p3"
            ? UIColor(ColorMath.displayP3(red, green, blue, alpha))
            : UIColor(RGBA(red, green, blue, alpha))
    }

    /// Xcode writes "0.500", "128" (of 255) or "0x80". A number with a decimal point is from 0 to 1.
    static func component(_ text: String?) -> Double? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.lowercased().hasPrefix("0x") {
            return Int(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
        }
        guard let number = Double(text), number.isFinite else { return nil }
        return text.contains(".") || text.contains("e") ? number : number / 255
    }

    /// Catalogues refer to system colours as `systemRedColor` or `labelColor`.
    private static func system(_ reference: String) -> UIColor? {
        let name = reference.hasSuffix("Color") ? String(reference.dropLast(5)) : reference
        return systemColors[name]
    }

    private static let systemColors: [String: UIColor] = [
        "systemRed": .systemRed, "systemOrange": .systemOrange, "systemYellow": .systemYellow,
        "systemGreen": .systemGreen, "systemMint": .systemMint, "systemTeal": .systemTeal,
        "systemCyan": .systemCyan, "systemBlue": .systemBlue, "systemIndigo": .systemIndigo,
        "systemPurple": .systemPurple, "systemPink": .systemPink, "systemBrown": .systemBrown,
        "systemGray": .systemGray, "systemGray2": .systemGray2, "systemGray3": .systemGray3,
        "systemGray4": .systemGray4, "systemGray5": .systemGray5, "systemGray6": .systemGray6,
        "label": .label, "secondaryLabel": .secondaryLabel, "tertiaryLabel": .tertiaryLabel,
        "quaternaryLabel": .quaternaryLabel, "placeholderText": .placeholderText, "link": .link,
        "separator": .separator, "opaqueSeparator": .opaqueSeparator, "systemFill": .systemFill,
        "secondarySystemFill": .secondarySystemFill, "tertiarySystemFill": .tertiarySystemFill,
        "quaternarySystemFill": .quaternarySystemFill, "systemBackground": .systemBackground,
        "secondarySystemBackground": .secondarySystemBackground,
        "tertiarySystemBackground": .tertiarySystemBackground,
        "systemGroupedBackground": .systemGroupedBackground,
        "secondarySystemGroupedBackground": .secondarySystemGroupedBackground,
        "tertiarySystemGroupedBackground": .tertiarySystemGroupedBackground,
        "darkText": .darkText, "lightText": .lightText,
    ]
}
