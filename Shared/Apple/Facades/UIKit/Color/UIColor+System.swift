internal import FoundationExtras

// Apple's published values of iOS 13 to 18, without the variants for increased contrast (Human Interface
// Guidelines, Color). iOS 26 changed some of them slightly.
extension UIColor {
    /// Red as in iOS 13 to 18.
    public static let systemRed = UIColor(
        light: RGBA(bytes: 255, 59, 48), dark: RGBA(bytes: 255, 69, 58))
    /// Orange as in iOS 13 to 18.
    public static let systemOrange = UIColor(
        light: RGBA(bytes: 255, 149, 0), dark: RGBA(bytes: 255, 159, 10))
    /// Yellow as in iOS 13 to 18.
    public static let systemYellow = UIColor(
        light: RGBA(bytes: 255, 204, 0), dark: RGBA(bytes: 255, 214, 10))
    /// Green as in iOS 13 to 18.
    public static let systemGreen = UIColor(
        light: RGBA(bytes: 52, 199, 89), dark: RGBA(bytes: 48, 209, 88))
    /// Mint as in iOS 13 to 18.
    public static let systemMint = UIColor(
        light: RGBA(bytes: 0, 199, 190), dark: RGBA(bytes: 99, 230, 226))
    /// Teal as in iOS 13 to 18.
    public static let systemTeal = UIColor(
        light: RGBA(bytes: 48, 176, 199), dark: RGBA(bytes: 64, 200, 224))
    /// Cyan as in iOS 13 to 18.
    public static let systemCyan = UIColor(
        light: RGBA(bytes: 50, 173, 230), dark: RGBA(bytes: 100, 210, 255))
    /// Blue as in iOS 13 to 18.
    public static let systemBlue = UIColor(
        light: RGBA(bytes: 0, 122, 255), dark: RGBA(bytes: 10, 132, 255))
    /// Indigo as in iOS 13 to 18.
    public static let systemIndigo = UIColor(
        light: RGBA(bytes: 88, 86, 214), dark: RGBA(bytes: 94, 92, 230))
    /// Purple as in iOS 13 to 18.
    public static let systemPurple = UIColor(
        light: RGBA(bytes: 175, 82, 222), dark: RGBA(bytes: 191, 90, 242))
    /// Pink as in iOS 13 to 18.
    public static let systemPink = UIColor(
        light: RGBA(bytes: 255, 45, 85), dark: RGBA(bytes: 255, 55, 95))
    /// Brown as in iOS 13 to 18.
    public static let systemBrown = UIColor(
        light: RGBA(bytes: 162, 132, 94), dark: RGBA(bytes: 172, 142, 104))
    /// A gray that is the same in both colour schemes.
    public static let systemGray = UIColor(RGBA(bytes: 142, 142, 147))
    /// A gray closer to the background than the one before.
    public static let systemGray2 = UIColor(
        light: RGBA(bytes: 174, 174, 178), dark: RGBA(bytes: 99, 99, 102))
    /// A gray closer to the background than the one before.
    public static let systemGray3 = UIColor(
        light: RGBA(bytes: 199, 199, 204), dark: RGBA(bytes: 72, 72, 74))
    /// A gray closer to the background than the one before.
    public static let systemGray4 = UIColor(
        light: RGBA(bytes: 209, 209, 214), dark: RGBA(bytes: 58, 58, 60))
    /// A gray closer to the background than the one before.
    public static let systemGray5 = UIColor(
        light: RGBA(bytes: 229, 229, 234), dark: RGBA(bytes: 44, 44, 46))
    /// The gray closest to the background.
    public static let systemGray6 = UIColor(
        light: RGBA(bytes: 242, 242, 247), dark: RGBA(bytes: 28, 28, 30))
    /// The accent colour. Linux programs have none, so it is `systemBlue`.
    public static let tintColor = UIColor(
        light: RGBA(bytes: 0, 122, 255), dark: RGBA(bytes: 10, 132, 255))
    /// For primary text.
    public static let label = UIColor(
        light: RGBA(bytes: 0, 0, 0), dark: RGBA(bytes: 255, 255, 255))
    /// For secondary text.
    public static let secondaryLabel = UIColor(
        light: RGBA(bytes: 60, 60, 67, 0.6), dark: RGBA(bytes: 235, 235, 245, 0.6))
    /// For tertiary text.
    public static let tertiaryLabel = UIColor(
        light: RGBA(bytes: 60, 60, 67, 0.3), dark: RGBA(bytes: 235, 235, 245, 0.3))
    /// For quaternary text.
    public static let quaternaryLabel = UIColor(
        light: RGBA(bytes: 60, 60, 67, 0.18), dark: RGBA(bytes: 235, 235, 245, 0.16))
    /// For placeholder text in empty fields.
    public static let placeholderText = UIColor(
        light: RGBA(bytes: 60, 60, 67, 0.3), dark: RGBA(bytes: 235, 235, 245, 0.3))
    /// For links.
    public static let link = UIColor(
        light: RGBA(bytes: 0, 122, 255), dark: RGBA(bytes: 10, 132, 255))
    /// For translucent separators.
    public static let separator = UIColor(
        light: RGBA(bytes: 60, 60, 67, 0.29), dark: RGBA(bytes: 84, 84, 88, 0.6))
    /// For opaque separators.
    public static let opaqueSeparator = UIColor(
        light: RGBA(bytes: 198, 198, 200), dark: RGBA(bytes: 56, 56, 58))
    /// For filling thin shapes.
    public static let systemFill = UIColor(
        light: RGBA(bytes: 120, 120, 128, 0.2), dark: RGBA(bytes: 120, 120, 128, 0.36))
    /// For filling medium-sized shapes.
    public static let secondarySystemFill = UIColor(
        light: RGBA(bytes: 120, 120, 128, 0.16), dark: RGBA(bytes: 120, 120, 128, 0.32))
    /// For filling large shapes.
    public static let tertiarySystemFill = UIColor(
        light: RGBA(bytes: 118, 118, 128, 0.12), dark: RGBA(bytes: 118, 118, 128, 0.24))
    /// For filling large areas.
    public static let quaternarySystemFill = UIColor(
        light: RGBA(bytes: 116, 116, 128, 0.08), dark: RGBA(bytes: 118, 118, 128, 0.18))
    /// The background.
    public static let systemBackground = UIColor(
        light: RGBA(bytes: 255, 255, 255), dark: RGBA(bytes: 0, 0, 0))
    /// For content on the background.
    public static let secondarySystemBackground = UIColor(
        light: RGBA(bytes: 242, 242, 247), dark: RGBA(bytes: 28, 28, 30))
    /// For content on the secondary background.
    public static let tertiarySystemBackground = UIColor(
        light: RGBA(bytes: 255, 255, 255), dark: RGBA(bytes: 44, 44, 46))
    /// The background of grouped content.
    public static let systemGroupedBackground = UIColor(
        light: RGBA(bytes: 242, 242, 247), dark: RGBA(bytes: 0, 0, 0))
    /// For content on the grouped background.
    public static let secondarySystemGroupedBackground = UIColor(
        light: RGBA(bytes: 255, 255, 255), dark: RGBA(bytes: 28, 28, 30))
    /// For content on the secondary grouped background.
    public static let tertiarySystemGroupedBackground = UIColor(
        light: RGBA(bytes: 242, 242, 247), dark: RGBA(bytes: 44, 44, 46))
    /// For text on a dark background, in both colour schemes.
    public static let lightText = UIColor(RGBA(bytes: 255, 255, 255, 0.6))
    /// For text on a light background, in both colour schemes.
    public static let darkText = UIColor(RGBA(bytes: 0, 0, 0))

    // MARK: the same in light and dark

    /// White 0.
    public static let black = UIColor(white: 0, alpha: 1)
    /// White 1/3.
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    /// White 2/3.
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    /// White 1.
    public static let white = UIColor(white: 1, alpha: 1)
    /// White 0.5.
    public static let gray = UIColor(white: 0.5, alpha: 1)
    /// The same in both colour schemes.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    /// The same in both colour schemes.
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    /// The same in both colour schemes.
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// The same in both colour schemes.
    public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
    /// The same in both colour schemes.
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    /// The same in both colour schemes.
    public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
    /// The same in both colour schemes.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    /// The same in both colour schemes.
    public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
    /// The same in both colour schemes.
    public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    /// Transparent black.
    public static let clear = UIColor(white: 0, alpha: 0)
}
