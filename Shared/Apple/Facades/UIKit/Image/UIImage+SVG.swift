internal import FoundationExtras

extension UIImage {
    /// The image as an SVG of its size. What needs no drawing around it (a PNG without a tint) is better
    /// taken from `content`.
    /// - Parameter template: the colour of a template image, and of a symbol that has none of its own.
    package func svg(dark: Bool, template: RGBA? = nil) -> String {
        SVG.document(
            elements(in: CGRect(origin: .zero, size: size), dark: dark, template: template),
            width: size.width, height: size.height)
    }

    /// The elements that draw the image into `frame`.
    package func elements(in frame: CGRect, dark: Bool, template: RGBA? = nil) -> String {
        let traits: UITraitCollection = dark ? .dark : .light
        let own = tint.map { $0.rgba(traits) }
        switch dark ? darkContent ?? content : content {
        case .symbol(let name):
            let configured = symbolConfiguration?.colors.first.map { $0.rgba(traits) }
            let color = own ?? configured ?? template ?? UIColor.label.rgba(traits)
            return Self.box(frame, inner: CGSize(width: 24, height: 24))
                + SystemSymbol.elements(
                    name, color: color, weight: (symbolConfiguration?.weight ?? .regular).fontWeight())
                + "</g>"
        case .drawing(let elements):
            return tinted(
                Self.box(frame, inner: size) + elements + "</g>", frame, own ?? templateColor(template))
        case .file(let data, let format):
            return tinted(
                "<image \(Self.attributes(frame)) preserveAspectRatio=\"none\""
                    + " href=\"\(SVG.dataURI(data, format))\"/>",
                frame, own ?? templateColor(template))
        }
    }

    private func templateColor(_ color: RGBA?) -> RGBA? { renderingMode == .alwaysTemplate ? color : nil }

    /// Every pixel that is not clear in one colour.
    private func tinted(_ elements: String, _ frame: CGRect, _ color: RGBA?) -> String {
        guard let color else { return elements }
        let id = "tint-\(color.hex.dropFirst())"
        return "<filter id=\"\(id)\" x=\"0\" y=\"0\" width=\"1\" height=\"1\""
            + " color-interpolation-filters=\"sRGB\">"
            + "<feFlood flood-color=\"\(color.paint.color)\" flood-opacity=\"\(SVG.number(color.alpha))\"/>"
            + "<feComposite in2=\"SourceAlpha\" operator=\"in\"/></filter>"
            + "<g filter=\"url(#\(id))\">\(elements)</g>"
    }

    /// Opens a group whose coordinates go from 0 to `inner`.
    private static func box(_ frame: CGRect, inner: CGSize) -> String {
        let across = inner.width > 0 ? frame.width / inner.width : 1
        let down = inner.height > 0 ? frame.height / inner.height : 1
        return "<g transform=\"translate(\(SVG.number(frame.minX)) \(SVG.number(frame.minY)))"
            + " scale(\(SVG.number(across)) \(SVG.number(down)))\">"
    }

    static func attributes(_ frame: CGRect) -> String {
        "x=\"\(SVG.number(frame.minX))\" y=\"\(SVG.number(frame.minY))\""
            + " width=\"\(SVG.number(frame.width))\" height=\"\(SVG.number(frame.height))\""
    }
}
