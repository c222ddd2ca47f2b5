import FileAccess
import Glibc

/// A picture of a kind and size that every daemon draws quickly, containing only what is drawn.
struct Picture {
    enum Kind: String {
        case png, jpeg, gif
    }

    static let bytesMax = 4 << 20
    /// Largest width and height in pixels: 64 MiB when decoded.
    static let sideMax = 4_096
    /// Largest number of scans. Each scan of a progressive JPEG costs as much as the whole picture; encoders
    /// make about ten.
    static let scansMax = 24

    let kind: Kind
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(FileError) {
        guard bytes.count <= Self.bytesMax else {
            throw FileError("it has more than \(Self.bytesMax) bytes", code: EFBIG)
        }
        let parts: PictureParts?
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            (kind, parts) = (.png, PictureParts(png: bytes))
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            (kind, parts) = (.gif, PictureParts(gif: bytes))
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            (kind, parts) = (.jpeg, PictureParts(jpeg: bytes))
        } else {
            throw FileError("it is not a PNG, JPEG or GIF", code: EINVAL)
        }
        guard let parts else {
            throw FileError("it is truncated, or contains more data than is drawn", code: EINVAL)
        }
        guard Self.isDrawable(parts.width, parts.height) else {
            throw FileError("it has \(parts.width) x \(parts.height) pixels", code: EINVAL)
        }
        self.bytes = parts.bytes
    }

    static func isDrawable(_ width: Int, _ height: Int) -> Bool {
        (1...sideMax).contains(width) && (1...sideMax).contains(height)
    }
}
