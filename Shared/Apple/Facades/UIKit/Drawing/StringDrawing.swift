public import FoundationExtras

/// How the size of a text is measured.
public struct NSStringDrawingOptions: OptionSet, Sendable {
    /// Apple's bits.
    public var rawValue: Int
    /// Unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The text may have several lines.
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
    /// Includes the space between lines.
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)
}

extension NSString {
    /// Draws the text in lines from the top of `rect`. Widths are estimated, because the font is that of the
    /// program that shows the image.
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        TextRun(text: description, attributes: attrs ?? [:]).draw(in: rect)
    }

    /// Draws the text without wrapping.
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        let size = size(withAttributes: attrs)
        draw(in: CGRect(origin: point, size: size), withAttributes: attrs)
    }

    /// In points, estimated.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        TextRun(text: description, attributes: attrs ?? [:]).size(width: .infinity)
    }

    /// In points, estimated. Lines wrap at the width of `size`.
    public func boundingRect(
        with size: CGSize, options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil, context: Never? = nil
    ) -> CGRect {
        let width = options.contains(.usesLineFragmentOrigin) ? size.width : .infinity
        return CGRect(
            origin: .zero,
            size: TextRun(text: description, attributes: attributes ?? [:]).size(width: width))
    }
}

extension String {
    /// The same as for `NSString`.
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        NSString(string: self).draw(in: rect, withAttributes: attrs)
    }
    /// The same as for `NSString`.
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        NSString(string: self).draw(at: point, withAttributes: attrs)
    }
    /// In points, estimated.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        NSString(string: self).size(withAttributes: attrs)
    }
}

extension NSAttributedString {
    /// Draws the whole text with the attributes of its first character.
    public func draw(in rect: CGRect) { run.draw(in: rect) }
    /// The same without wrapping.
    public func draw(at point: CGPoint) { run.draw(in: CGRect(origin: point, size: size())) }
    /// In points, estimated.
    public func size() -> CGSize { run.size(width: .infinity) }

    private var run: TextRun {
        TextRun(text: string, attributes: length > 0 ? attributes(at: 0, effectiveRange: nil) : [:])
    }
}

/// A text with one set of attributes.
private struct TextRun {
    let text: String
    let font: UIFont
    let color: RGBA
    let background: RGBA?
    let paragraph: ParagraphValues
    let kern: Double
    let decoration: String

    init(text: String, attributes: [NSAttributedString.Key: Any]) {
        self.text = text
        font = attributes[.font] as? UIFont ?? .systemFont(ofSize: 12)
        color = (attributes[.foregroundColor] as? UIColor ?? .black).rgba(.current)
        background = (attributes[.backgroundColor] as? UIColor)?.rgba(.current)
        paragraph = (attributes[.paragraphStyle] as? NSParagraphStyle)?.storage ?? ParagraphValues()
        kern = (attributes[.kern] as? NSNumber)?.doubleValue ?? attributes[.kern] as? Double ?? 0
        let lines = [("underline", Key.underlineStyle), ("line-through", Key.strikethroughStyle)]
        decoration = lines.filter { (attributes[$0.1] as? Int ?? 0) != 0 }.map(\.0).joined(separator: " ")
    }

    private typealias Key = NSAttributedString.Key

    private var lineHeight: Double {
        let height = font.lineHeight * (paragraph.lineHeightMultiple > 0 ? paragraph.lineHeightMultiple : 1)
        return height + paragraph.lineSpacing
    }

    private func lines(_ width: Double) -> [String] {
        // A measured text must fit in its own size.
        TextMetrics.lines(text, size: font.pointSize, weight: font.weight, width: width + 0.5)
    }

    func size(width: Double) -> CGSize {
        let lines = lines(width)
        let longest = lines.map {
            TextMetrics.width($0, size: font.pointSize, weight: font.weight) + Double($0.count) * kern
        }.max()
        return CGSize(
            width: (longest ?? 0).rounded(.up), height: (Double(lines.count) * lineHeight).rounded(.up))
    }

    func draw(in rect: CGRect) {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        if let background {
            context.draw("<rect \(UIImage.attributes(rect)) \(background.attribute("fill"))/>")
        }
        let (x, anchor) =
            switch paragraph.alignment {
            case .center: (rect.midX, "middle")
            case .right: (rect.maxX, "end")
            default: (rect.minX, "start")
            }
        var style = "font-family=\"\(font.cssFamily)\" font-size=\"\(SVG.number(font.pointSize))\""
        style += " font-weight=\"\(font.weight.css)\" text-anchor=\"\(anchor)\" \(color.attribute("fill"))"
        if font.isItalic { style += " font-style=\"italic\"" }
        if kern != 0 { style += " letter-spacing=\"\(SVG.number(kern))\"" }
        if !decoration.isEmpty { style += " text-decoration=\"\(decoration)\"" }
        for (number, line) in lines(rect.width).enumerated() where !line.isEmpty {
            let baseline = rect.minY + Double(number) * lineHeight + font.ascender
            context.draw(
                "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(baseline))\" \(style)>"
                    + "\(SVG.escaped(line))</text>")
        }
    }
}
