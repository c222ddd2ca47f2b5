internal import FoundationExtras

/// System symbols: shapes of our own, drawn for this project, under the names of Apple's.
package enum SystemSymbol {
    /// Lines and areas on a square of 24 units.
    struct Shape: Sendable {
        /// Closed; a name that ends in `.fill` fills it.
        var body = ""
        /// Only lines; on a filled body they are drawn in the colour of what is behind.
        var lines = ""
        /// Lines outside of the body, always in the symbol's colour.
        var outer = ""
        /// Filled in any case.
        var dots = ""
    }

    /// Apple's names are lower-case words, numbers and dots.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 80 && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: ".")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// Letters and numbers are drawn as such.
    package static func isKnown(_ name: String) -> Bool {
        let name = Name(name)
        return name.shape != nil || name.base.count == 1
    }

    package static func noteIfUnknown(_ name: String) {
        guard !isKnown(name) else { return }
        Complaint.once("There is no drawing for the symbol '\(name)'; a letter in a circle stands for it.")
    }

    /// The elements of an SVG on a square of 24 units.
    package static func elements(_ name: String, color: RGBA, weight: UIFont.Weight = .regular) -> String {
        let name = Name(name)
        let stroke = 1 + Double(weight.css) / 400 * 0.8
        let ink = color.paint
        let paper = color.luminance < 0.6 ? "#FFFFFF" : "#000000"
        var parts: [String] = []
        let shape = name.shape ?? Shape()
        let inner = name.shape == nil ? letter(name) : nil
        if let enclosure = name.enclosure ?? (inner == nil ? nil : Name.enclosures["circle"]) {
            parts.append(path(enclosure, ink, filled: name.isFilled, width: stroke))
            let mark = name.isFilled ? paper : ink.color
            let opacity = name.isFilled ? 1 : color.alpha
            parts.append("<g transform=\"translate(5.4 5.4) scale(.55)\">")
            parts.append(
                inner.map { text($0, color: mark) }
                    ?? draw(shape, (mark, opacity), paper: paper, filled: false, width: stroke * 1.4))
            parts.append("</g>")
        } else {
            parts.append(draw(shape, ink, paper: paper, filled: name.isFilled, width: stroke))
        }
        if name.isStruckOut {
            parts.append(line("M3.5 3.5L20.5 20.5", (paper, 1), width: stroke * 2.6))
            parts.append(line("M3.5 3.5L20.5 20.5", ink, width: stroke))
        }
        return parts.joined()
    }

    private static func draw(
        _ shape: Shape, _ ink: (color: String, opacity: Double), paper: String, filled: Bool, width: Double
    ) -> String {
        var parts = ""
        if !shape.body.isEmpty { parts += path(shape.body, ink, filled: filled, width: width) }
        let onFill = filled && !shape.body.isEmpty
        if !shape.lines.isEmpty { parts += line(shape.lines, onFill ? (paper, 1) : ink, width: width) }
        if !shape.outer.isEmpty { parts += line(shape.outer, ink, width: width) }
        if !shape.dots.isEmpty {
            let color = onFill ? (paper, 1) : ink
            parts += "<path d=\"\(shape.dots)\" fill=\"\(color.0)\" fill-opacity=\"\(color.1)\"/>"
        }
        return parts
    }

    private static func path(
        _ data: String, _ ink: (color: String, opacity: Double), filled: Bool, width: Double
    ) -> String {
        let fill = filled ? "fill=\"\(ink.color)\" fill-opacity=\"\(ink.opacity)\"" : "fill=\"none\""
        return "<path d=\"\(data)\" \(fill) \(stroke(ink, width))/>"
    }

    private static func line(
        _ data: String, _ ink: (color: String, opacity: Double), width: Double
    ) -> String {
        "<path d=\"\(data)\" fill=\"none\" \(stroke(ink, width))/>"
    }

    private static func stroke(_ ink: (color: String, opacity: Double), _ width: Double) -> String {
        "stroke=\"\(ink.color)\" stroke-opacity=\"\(ink.opacity)\" stroke-width=\"\(SVG.number(width))\""
            + " stroke-linecap=\"round\" stroke-linejoin=\"round\""
    }

    private static func letter(_ name: Name) -> String { name.base.prefix(1).uppercased() }

    private static func text(_ letter: String, color: String) -> String {
        "<text x=\"12\" y=\"19\" font-family=\"system-ui, sans-serif\" font-size=\"20\" font-weight=\"600\""
            + " text-anchor=\"middle\" fill=\"\(color)\">\(SVG.escaped(letter))</text>"
    }

    /// A symbol's name taken apart.
    private struct Name {
        var base: String
        var enclosure: String?
        var isFilled = false
        var isStruckOut = false
        var shape: Shape?

        static let enclosures = [
            "circle": "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
            "square": "M5 2.5h14a2.5 2.5 0 0 1 2.5 2.5v14a2.5 2.5 0 0 1-2.5 2.5h-14a2.5 2.5 0 0 1-2.5-2.5"
                + "v-14a2.5 2.5 0 0 1 2.5-2.5z",
        ]

        init(_ name: String) {
            var words = name.split(separator: ".").map(String.init)
            // A badge in the corner is too small to be seen.
            if let badge = words.firstIndex(of: "badge") {
                isFilled = words.last == "fill"
                words.removeSubrange(badge...)
            }
            while words.count > 1, let last = words.last {
                if last == "fill" {
                    isFilled = true
                } else if last == "slash" {
                    isStruckOut = true
                } else {
                    break
                }
                words.removeLast()
            }
            let whole = words.joined(separator: ".")
            if let shape = SymbolShapes.all[whole] {
                (base, self.shape) = (whole, shape)
                return
            }
            if words.count > 1, let last = words.last, let found = Self.enclosures[last] {
                enclosure = found
                words.removeLast()
            }
            base = words.joined(separator: ".")
            while !words.isEmpty, shape == nil {
                shape = SymbolShapes.all[words.joined(separator: ".")]
                words.removeLast()
            }
        }
    }
}
