import Contract
import Glibc

/// Looks at a picture's bytes before a library decodes them.
enum PictureCheck {
    /// Why a picture is not drawn; a sentence.
    struct Refusal: Error, Equatable { var reason: String }

    /// The PNG file in this text, if its header has a size that is allowed.
    static func png(_ base64: String) throws(Refusal) -> [UInt8] {
        let textMax = (ShieldImage.bytesMax + 2) / 3 * 4
        guard base64.utf8.count <= textMax else {
            throw Refusal(reason: "the PNG has more than \(ShieldImage.bytesMax) bytes")
        }
        guard let bytes = Base64.bytes(base64) else { throw Refusal(reason: "the PNG is not in base64") }
        // PNG, 5.2 and 11.2.2: the signature, then IHDR with width and height.
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard bytes.count >= 33, bytes.starts(with: head) else {
            throw Refusal(reason: "the picture is no PNG")
        }
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(16), number(20))
        let side = CoverLimits.iconSideMax
        guard (1...side).contains(width), (1...side).contains(height),
            width * height <= CoverLimits.iconAreaMax
        else { throw Refusal(reason: "the PNG has \(width) x \(height) pixels") }
        return bytes
    }

    /// What an SVG must not contain, in lower case. Scripts and animations would do nothing, references would
    /// reach outside, filters and repeated uses take processor time without bound.
    private static let forbidden = [
        "<script", "<foreignobject", "<image", "<use", "<filter", "<pattern", "<mask", "<animate", "<set",
        "<style", "<!doctype", "<!entity", "<?xml-stylesheet", "href", "url(", "@import", "javascript:",
    ]

    /// The SVG in this text, if it draws with nothing but itself.
    static func svg(_ text: String) throws(Refusal) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count <= ShieldImage.bytesMax else {
            throw Refusal(reason: "the SVG has more than \(ShieldImage.bytesMax) bytes")
        }
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        guard !bytes.contains(0) else { throw Refusal(reason: "the SVG contains zeros") }
        guard find("<svg", in: lower) else { throw Refusal(reason: "the drawing is no SVG") }
        try checkEncoding(lower)
        for word in forbidden where find(word, in: lower) {
            throw Refusal(reason: "the SVG contains '\(word)'")
        }
        return bytes
    }

    /// In other encodings the same bytes are other characters: in UTF-7 `+ADw-script` is a script.
    private static func checkEncoding(_ lower: [UInt8]) throws(Refusal) {
        let start = Array("<?xml".utf8), end = Array("?>".utf8)
        var rest = lower[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        if rest.starts(with: start) {
            guard let close = rest.indices.first(where: { rest[$0...].starts(with: end) }) else {
                throw Refusal(reason: "the SVG's declaration has no end")
            }
            let declaration = String(decoding: rest[..<close].dropFirst(start.count), as: UTF8.self)
            rest = rest[(close + end.count)...]
            guard isSafe(declaration) else {
                throw Refusal(reason: "the SVG is not declared to be in UTF-8 or ASCII")
            }
        }
        // A declaration elsewhere is no XML, and other instructions are for other programs.
        guard !find("<?", in: Array(rest)) else { throw Refusal(reason: "the SVG contains instructions") }
    }

    private static let encodings: Set<Substring> = ["utf-8", "utf8", "us-ascii", "ascii"]

    /// - Parameter declaration: what is between `<?xml` and `?>`, in lower case.
    private static func isSafe(_ declaration: String) -> Bool {
        guard declaration.includes("encoding") else { return true }
        // version="1.0" encoding="UTF-8" standalone="no": names and values by turns.
        let parts = declaration.split { " \t\r\n=".contains($0) }
        let names = parts.indices.filter { parts[$0].hasPrefix("encoding") }
        guard names.count == 1, let name = names.first, parts[name] == "encoding",
            parts.indices.contains(name + 1)
        else { return false }
        let value = parts[name + 1]
        guard let quote = value.first, "\"'".contains(quote), value.count > 2, value.last == quote else {
            return false
        }
        return encodings.contains(value.dropFirst().dropLast())
    }

    /// - Parameter bytes: without zeros, at which strstr(3) ends.
    private static func find(_ word: String, in bytes: [UInt8]) -> Bool {
        (bytes + [0]).withUnsafeBytes { raw in
            let text = raw.bindMemory(to: CChar.self)
            return text.baseAddress.map { strstr($0, word) != nil } ?? false
        }
    }
}
