import FileAccess
import Glibc

/// A picture of a kind and a size that every daemon draws at once, with nothing in it that is not drawn.
struct Picture {
    enum Kind: String {
        case png, jpeg, gif
    }

    static let bytesMax = 4 << 20
    /// Pixels each way: 64 MiB when it is drawn.
    static let sideMax = 4_096

    /// Each scan of a progressive JPEG costs as much as the whole picture; encoders make about ten.
    static let scansMax = 24

    let kind: Kind
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(FileError) {
        guard bytes.count <= Self.bytesMax else {
            throw FileError("it has more than \(Self.bytesMax) bytes", code: EFBIG)
        }
        guard let (kind, width, height) = Self.head(bytes) else {
            throw FileError("it is no PNG, JPEG or GIF", code: EINVAL)
        }
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else {
            throw FileError("it has \(width) x \(height) pixels", code: EINVAL)
        }
        self.kind = kind
        self.bytes = try Self.drawn(kind, bytes)
    }

    private static func drawn(_ kind: Kind, _ bytes: [UInt8]) throws(FileError) -> [UInt8] {
        switch kind {
        case .png:
            guard let parts = PictureParts.png(bytes) else { throw FileError("it is cut off", code: EINVAL) }
            return parts
        case .gif:
            guard let parts = PictureParts.gif(bytes) else {
                throw FileError("it has no whole frame", code: EINVAL)
            }
            return parts
        case .jpeg:
            // In what is compressed no such pair stands (ITU T.81, B.1.1.5); in what is beside it, one may.
            let scans = zip(bytes, bytes.dropFirst()).count { $0 == 0xff && $1 == 0xda }
            guard scans <= scansMax else { throw FileError("it has \(scans) scans", code: EINVAL) }
            return bytes
        }
    }

    private static func head(_ bytes: [UInt8]) -> (Kind, width: Int, height: Int)? {
        func number(_ at: Int, _ count: Int) -> Int {
            bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
        }
        // PNG: signature, then the chunk IHDR with width and height, four bytes each.
        if bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        {
            return (.png, number(16, 4), number(20, 4))
        }
        // GIF: width and height, two bytes each, the low one first.
        if bytes.count > 10, bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            return (.gif, Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        }
        guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
        return jpegSize(bytes).map { (.jpeg, $0.width, $0.height) }
    }

    /// Of the first frame (ITU T.81, B.2.2): segments are a marker and their length; SOF0 to SOF15, without
    /// DHT, JPG and DAC, hold the height and the width.
    private static func jpegSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xff {
            let marker = bytes[at + 1]
            if marker == 0xff {
                at += 1
                continue
            }
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
                let height = Int(bytes[at + 5]) << 8 | Int(bytes[at + 6])
                return (Int(bytes[at + 7]) << 8 | Int(bytes[at + 8]), height)
            }
            // Of the image's data and of the end no length is told, and no frame comes after them.
            guard !(0xd0...0xda).contains(marker) else { return nil }
            at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        }
        return nil
    }
}
