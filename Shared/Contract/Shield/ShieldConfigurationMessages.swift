package import JSON

/// How a shield looks: Apple's ShieldConfiguration. What is absent is the system's to choose.
@Record("shield.look")
package struct ShieldLook: Record {
    /// Name of UIBlurEffect.Style.
    package var backgroundBlurStyle: String?
    /// Over the blur.
    package var backgroundColor: ShieldColor?
    /// Above the title.
    package var icon: ShieldImage?
    /// The first line.
    package var title: ShieldLabel?
    /// Below it.
    package var subtitle: ShieldLabel?
    /// Absent: the system's words.
    package var primaryButtonLabel: ShieldLabel?
    /// Its colour.
    package var primaryButtonBackgroundColor: ShieldColor?
    /// Absent: no such button.
    package var secondaryButtonLabel: ShieldLabel?
    /// At most three; absent: the button acts itself.
    package var secondaryButtonSubmenuItems: [String]?

    /// Buttons in the submenu of the secondary button, which the system adds Cancel to.
    package static let submenuItemsMax = 3
}

@Record
package struct ShieldLabel: Record {
    /// As the extension said it.
    package var text: String = ""
    /// Of the text.
    package var color: ShieldColor?
}

/// A colour in light and in dark surroundings.
@Record
package struct ShieldColor: Record {
    /// #RRGGBB or #RRGGBBAA in sRGB.
    package var light: String = ""
    /// The same; absent: as in light.
    package var dark: String?
}

/// A picture: a PNG or an SVG, never both.
@Record
package struct ShieldImage: Record {
    /// Name of a symbol; how it looks here is in svg and svg_dark.
    package var systemName: String?
    /// The file, base64.
    package var png: String?
    /// The same in the dark; absent: as in light.
    package var pngDark: String?
    /// The document.
    package var svg: String?
    /// The same in the dark; absent: as in light.
    package var svgDark: String?

    /// All fields together.
    package static let bytesMax = 512 * 1024
}
