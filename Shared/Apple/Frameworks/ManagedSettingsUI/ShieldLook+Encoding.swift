package import Contract
internal import UIKit

extension ShieldConfiguration {
    /// The form that is sent to the program that draws the shield.
    package var look: ShieldLook {
        var look = ShieldLook()
        look.backgroundBlurStyle = backgroundBlurStyle?.name
        look.backgroundColor = backgroundColor.map(ShieldColor.init)
        look.icon = icon.flatMap(ShieldImage.init(fitting:))
        look.title = title.map(ShieldLabel.init)
        look.subtitle = subtitle.map(ShieldLabel.init)
        look.primaryButtonLabel = primaryButtonLabel.map(ShieldLabel.init)
        look.primaryButtonBackgroundColor = primaryButtonBackgroundColor.map(ShieldColor.init)
        look.secondaryButtonLabel = secondaryButtonLabel.map(ShieldLabel.init)
        if let items = secondaryButtonSubmenuItems {
            if items.count > ShieldLook.submenuItemsMax {
                Complaint.once(
                    "A shield's submenu has \(items.count) items; the first \(ShieldLook.submenuItemsMax)"
                        + " are shown.")
            }
            look.secondaryButtonSubmenuItems = items.prefix(ShieldLook.submenuItemsMax).map(\.shortened)
        }
        return look
    }
}

extension ShieldColor {
    init(_ color: UIColor) {
        let (light, dark) = color.appearances
        self.init(light: light.hex, dark: light == dark ? nil : dark.hex)
    }
}

extension ShieldLabel {
    init(_ label: ShieldConfiguration.Label) {
        self.init(text: label.text.shortened, color: ShieldColor(label.color))
    }
}

extension String {
    /// Truncated at a character boundary to the contract's maximum text size.
    fileprivate var shortened: String {
        guard utf8.count > Limits.textBytesMax else { return self }
        Complaint.once(
            "A shield's text of \(utf8.count) bytes is cut; \(Limits.textBytesMax) are shown.")
        var result = ""
        var bytes = 0
        for character in self {
            bytes += character.utf8.count
            guard bytes <= Limits.textBytesMax - 3 else { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension ShieldImage {
    /// Nil for an empty image, and for one that cannot be made small enough; the latter is logged.
    init?(fitting image: UIImage) {
        guard image.size.width > 0, image.size.height > 0 else { return nil }
        self = ShieldImage(image)
        guard bytes > Self.bytesMax else { return }
        let was = bytes
        guard let smaller = image.smallerPNG(edge: 256) else {
            Complaint.once(
                "A shield's icon of \(was) bytes is left out; \(Self.bytesMax) are allowed. Use a smaller one."
            )
            return nil
        }
        self = ShieldImage(smaller)
        guard bytes <= Self.bytesMax else { return nil }
        Complaint.once("A shield's icon of \(was) bytes was made smaller; \(Self.bytesMax) are allowed.")
    }

    private init(_ image: UIImage) {
        self.init()
        if case .file(let data, .png) = image.content, image.tint == nil,
            image.renderingMode != .alwaysTemplate
        {
            png = data.base64EncodedString()
            if case .file(let data, .png) = image.darkContent { pngDark = data.base64EncodedString() }
            return
        }
        if case .symbol(let name) = image.content { systemName = name }
        let (light, dark) = UIColor.label.appearances
        let document = image.svg(dark: false, template: light)
        let darkDocument = image.svg(dark: true, template: dark)
        svg = document
        svgDark = document == darkDocument ? nil : darkDocument
    }

    private var bytes: Int {
        [png, pngDark, svg, svgDark].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
