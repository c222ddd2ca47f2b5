package import JSON

/// The look of a shield: Apple's ShieldConfiguration. The system chooses what is absent.
@Record("shield.look")
package struct ShieldLook: Record {
    /// Name of a UIBlurEffect.Style.
    package var backgroundBlurStyle: String?
    /// Colour over the blur.
    package var backgroundColor: ShieldColor?
    /// Image above the title.
    package var icon: ShieldImage?
    /// The first line.
    package var title: ShieldLabel?
    /// Below it.
    package var subtitle: ShieldLabel?
    /// Text of the primary button; absent: the system's text.
    package var primaryButtonLabel: ShieldLabel?
    /// Colour of the primary button.
    package var primaryButtonBackgroundColor: ShieldColor?
    /// Text of the secondary button; absent: there is none.
    package var secondaryButtonLabel: ShieldLabel?
    /// Items of the secondary button's menu, up to three; absent: the button acts by itself.
    package var secondaryButtonSubmenuItems: [String]?

    /// Maximum number of items in the menu of the secondary button; the system adds Cancel.
    package static let submenuItemsMax = 3
}

/// A text on a shield with its colour: Apple's ShieldConfiguration.Label.
@Record
package struct ShieldLabel: Record {
    /// The text, as the extension gave it.
    package var text: String = ""
    /// Colour of the text.
    package var color: ShieldColor?
}

/// A colour for the light and the dark appearance.
@Record
package struct ShieldColor: Record {
    /// #RRGGBB or #RRGGBBAA in sRGB.
    package var light: String = ""
    /// For the dark appearance, in the same form; absent: as in the light one.
    package var dark: String?
}

/// An image: either a PNG or an SVG.
@Record
package struct ShieldImage: Record {
    /// Name of an SF Symbol; svg and svg_dark contain the shape used on Linux.
    package var systemName: String?
    /// The PNG file, base64.
    package var png: String?
    /// The PNG file for the dark appearance; absent: as in the light one.
    package var pngDark: String?
    /// The SVG document.
    package var svg: String?
    /// The SVG document for the dark appearance; absent: as in the light one.
    package var svgDark: String?

    /// Maximum bytes of all fields together.
    package static let bytesMax = 512 * 1024
}
