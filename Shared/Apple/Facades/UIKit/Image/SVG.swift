internal import FoundationExtras

/// Pieces of SVG text.
package enum SVG {
    /// At most three decimals; 0 for what is no number, because one such number makes a drawing unreadable.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let rounded = (min(max(value, -1e9), 1e9) * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }

    /// Text between tags and inside of quoted attributes; characters XML cannot have are left out.
    package static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A whole document of that size in points.
    package static func document(_ elements: String, width: Double, height: Double) -> String {
        let (width, height) = (number(width), number(height))
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
            + " viewBox=\"0 0 \(width) \(height)\">\(elements)</svg>"
    }

    /// The bytes of an image inside of an attribute.
    package static func dataURI(_ data: Data, _ format: ImageFormat) -> String {
        "data:\(format.mimeType);base64,\(data.base64EncodedString())"
    }
}

extension RGBA {
    /// Colour and opacity for attributes that have them apart.
    package var paint: (color: String, opacity: Double) { (with(alpha: 1).hex, alpha) }

    /// `fill="…"`, with its opacity where it is not opaque.
    package func attribute(_ name: String) -> String {
        let opacity = alpha < 1 ? " \(name)-opacity=\"\(SVG.number(alpha))\"" : ""
        return "\(name)=\"\(with(alpha: 1).hex)\"\(opacity)"
    }
}
