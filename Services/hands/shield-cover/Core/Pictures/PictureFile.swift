/// A picture as a look contains it; checked, not decoded.
struct PictureFile: Hashable, Sendable {
    /// The names by which GdkPixbuf knows them.
    enum Kind: String, Sendable { case png, svg }

    var kind: Kind
    var bytes: [UInt8]
}

/// A decoded picture: rows of red, green, blue and alpha, not premultiplied.
final class Pixels: Equatable, Sendable {
    let width: Int, height: Int
    let bytes: [UInt8]

    /// Nil if a side is not allowed, or the bytes are not as many as the sides say.
    init?(width: Int, height: Int, bytes: [UInt8]) {
        let sides = 1...CoverLimits.drawingSide
        guard sides.contains(width), sides.contains(height), bytes.count == width * height * 4 else {
            return nil
        }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Each file is decoded once.
    static func == (one: Pixels, other: Pixels) -> Bool { one === other }

    // MARK: between processes

    /// Bytes of the largest, as encoded.
    static let bytesMax = 4 + CoverLimits.drawingSide * CoverLimits.drawingSide * 4

    /// Width and height in two bytes each, then the bytes.
    var encoded: [UInt8] {
        [UInt8(width >> 8), UInt8(width & 0xFF), UInt8(height >> 8), UInt8(height & 0xFF)] + bytes
    }

    /// Nil if it is not complete.
    convenience init?(encoded: [UInt8]) {
        guard encoded.count >= 4 else { return nil }
        self.init(
            width: Int(encoded[0]) << 8 | Int(encoded[1]), height: Int(encoded[2]) << 8 | Int(encoded[3]),
            bytes: Array(encoded[4...]))
    }
}
