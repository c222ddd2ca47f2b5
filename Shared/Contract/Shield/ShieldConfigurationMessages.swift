package import JSON

/// How a shield looks: Apple's ShieldConfiguration. What is absent is the system's to choose.
package struct ShieldLook: Record {
    package static var title: String { "shield.look" }
    package var backgroundBlurStyle: String?
    package var backgroundColor: ShieldColor?
    package var icon: ShieldImage?
    package var title: ShieldLabel?
    package var subtitle: ShieldLabel?
    package var primaryButtonLabel: ShieldLabel?
    package var primaryButtonBackgroundColor: ShieldColor?
    package var secondaryButtonLabel: ShieldLabel?
    package var secondaryButtonSubmenuItems: [String]?

    /// Buttons in the submenu of the secondary button, which the system adds Cancel to.
    package static let submenuItemsMax = 3

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("background_blur_style", &backgroundBlurStyle, "Name of UIBlurEffect.Style.")
        try visitor.field("background_color", &backgroundColor, "Over the blur.")
        try visitor.field("icon", &icon, "Above the title.")
        try visitor.field("title", &title, "The first line.")
        try visitor.field("subtitle", &subtitle, "Below it.")
        try visitor.field("primary_button_label", &primaryButtonLabel, "Absent: the system's words.")
        try visitor.field("primary_button_background_color", &primaryButtonBackgroundColor, "Its colour.")
        try visitor.field("secondary_button_label", &secondaryButtonLabel, "Absent: no such button.")
        try visitor.field(
            "secondary_button_submenu_items", &secondaryButtonSubmenuItems,
            "At most three; absent: the button acts itself.")
    }
}

package struct ShieldLabel: Record {
    package var text = ""
    package var color: ShieldColor?

    package init() {}
    package init(text: String, color: ShieldColor?) {
        self.text = text
        self.color = color
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("text", &text, "As the extension said it.")
        try visitor.field("color", &color, "Of the text.")
    }
}

/// A colour in light and in dark surroundings.
package struct ShieldColor: Record {
    package var light = ""
    package var dark: String?

    package init() {}
    package init(light: String, dark: String? = nil) {
        self.light = light
        self.dark = dark
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("light", &light, "#RRGGBB or #RRGGBBAA in sRGB.")
        try visitor.field("dark", &dark, "The same; absent: as in light.")
    }
}

/// A picture: a PNG or an SVG, never both.
package struct ShieldImage: Record {
    package var systemName: String?
    package var png: String?
    package var pngDark: String?
    package var svg: String?
    package var svgDark: String?

    /// All fields together.
    package static let bytesMax = 512 * 1024

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "system_name", &systemName, "Name of a symbol; how it looks here is in svg and svg_dark.")
        try visitor.field("png", &png, "The file, base64.")
        try visitor.field("png_dark", &pngDark, "The same in the dark; absent: as in light.")
        try visitor.field("svg", &svg, "The document.")
        try visitor.field("svg_dark", &svgDark, "The same in the dark; absent: as in light.")
    }
}
