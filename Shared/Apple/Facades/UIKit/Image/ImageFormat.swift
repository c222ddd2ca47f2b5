internal import FoundationExtras

/// What image bytes are, read from their beginning; nothing is decoded.
package enum ImageFormat: String, Sendable, Hashable {
    case png
    case jpeg
    case gif
    case webp
    case svg

    package var mimeType: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

    /// File name endings, in the order in which a name without one is tried.
    static let endings = ["png", "jpg", "jpeg", "svg", "gif", "webp"]
}

/// Format and size in pixels.
package struct ImageHeader: Sendable, Hashable {
    package var format: ImageFormat
    package var width: Double
    package var height: Double

    /// nil where the bytes are no image of these formats, or too short to say how large it is.
    package init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(1 << 20))
        guard
            let found = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.gif(bytes) ?? Self.webp(bytes)
                ?? Self.svg(bytes),
            found.width > 0, found.height > 0
        else { return nil }
        self = found
    }

    private init(_ format: ImageFormat, _ width: Int, _ height: Int) {
        self.init(format, Double(width), Double(height))
    }

    private init(_ format: ImageFormat, _ width: Double, _ height: Double) {
        self.format = format
        self.width = width
        self.height = height
    }

    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 33, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        return ImageHeader(.png, big(bytes, 16, 4), big(bytes, 20, 4))
    }

    private static func gif(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 10, bytes.starts(with: "GIF8".utf8) else { return nil }
        return ImageHeader(.gif, Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
    }

    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            if marker == 0xFF {  // A fill byte.
                at += 1
            } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return ImageHeader(.jpeg, big(bytes, at + 7, 2), big(bytes, at + 5, 2))
            } else {
                at += 2 + max(big(bytes, at + 2, 2), 2)
            }
        }
        return nil
    }

    private static func webp(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        func little(_ at: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X": return ImageHeader(.webp, little(24, 3) + 1, little(27, 3) + 1)
        case "VP8L":
            let bits = little(21, 4)
            return ImageHeader(.webp, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ": return ImageHeader(.webp, little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF)
        default: return nil
        }
    }

    /// The size is that of the attributes `width` and `height`, else that of `viewBox`.
    private static func svg(_ bytes: [UInt8]) -> ImageHeader? {
        let text = String(decoding: bytes.prefix(65_536), as: UTF8.self)
        guard let start = text.range(of: "<svg"), let end = text[start.upperBound...].firstIndex(of: ">")
        else { return nil }
        let tag = text[start.upperBound..<end]
        if let width = length(attribute("width", in: tag)),
            let height = length(attribute("height", in: tag))
        {
            return ImageHeader(.svg, width, height)
        }
        let box = (attribute("viewBox", in: tag) ?? "").split { $0 == " " || $0 == "," }.compactMap {
            Double($0)
        }
        guard box.count == 4, box[2].isFinite, box[3].isFinite else { return nil }
        return ImageHeader(.svg, box[2], box[3])
    }

    private static func attribute(_ name: String, in tag: Substring) -> Substring? {
        guard let start = tag.range(of: " \(name)=") ?? tag.range(of: "\n\(name)="),
            start.upperBound < tag.endIndex
        else { return nil }
        let quote = tag[start.upperBound]
        guard quote == "\"" || quote == "'" else { return nil }
        let rest = tag[tag.index(after: start.upperBound)...]
        return rest.firstIndex(of: quote).map { rest[..<$0] }
    }

    /// Plain numbers and pixels; of other units (%, em) nothing is known.
    private static func length(_ text: Substring?) -> Double? {
        guard let text else { return nil }
        let number = Double(text.hasSuffix("px") ? text.dropLast(2) : text)
        return number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    private static func big(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
