/// Copies the parts of a picture that are drawn, and nothing that costs more. A few bytes of compressed text
/// become megabytes in a PNG, a GIF of a few kilobytes can have frames for minutes, and decoders disagree
/// about malformed lengths.
struct PictureParts {
    private(set) var bytes: [UInt8]
    private(set) var width: Int
    private(set) var height: Int

    /// Header, palette, transparency and pixels of a PNG (W3C PNG, 5.3: a chunk is its length, type, data and
    /// checksum). Nil if they are incomplete or too many.
    init?(png: [UInt8]) {
        bytes = Array(png.prefix(8))
        (width, height) = (0, 0)
        var pixels: PixelData?
        var packed: [UInt8] = []
        var at = 8
        while at + 12 <= png.count {
            let length = Self.number(png, at, 4)
            guard length <= png.count - at - 12 else { return nil }
            let chunk = png[at..<at + 12 + length]
            let data = png[at + 8..<at + 8 + length]
            switch String(decoding: png[at + 4..<at + 8], as: UTF8.self) {
            case "IHDR":
                guard at == 8, length == 13 else { return nil }
                (width, height) = (Self.number(png, at + 8, 4), Self.number(png, at + 12, 4))
                // Its size alone makes it invalid.
                guard Picture.isDrawable(width, height) else { return }
                pixels = PixelData(header: Array(data), width: width, height: height)
                bytes += chunk
            case "PLTE", "tRNS": bytes += chunk
            case "IDAT":
                packed += data
                bytes += chunk
            case "IEND":
                guard pixels?.isExactly(packed) == true else { return nil }
                bytes += chunk
                return
            default: break
            }
            at = chunk.endIndex
        }
        return nil
    }

    /// The first frame of a GIF with its transparency (GIF89a, 17 to 27). Nil if it is incomplete or larger
    /// than the picture.
    init?(gif: [UInt8]) {
        guard gif.count > 13 else { return nil }
        // Little-endian, two bytes.
        func number(_ at: Int) -> Int { Int(gif[at]) | Int(gif[at + 1]) << 8 }
        (width, height) = (number(6), number(8))
        var at = 13 + Self.tableLength(gif[10])
        guard at <= gif.count else { return nil }
        bytes = Array(gif[..<at])
        var control: ArraySlice<UInt8> = []
        while at + 10 < gif.count {
            switch gif[at] {
            case 0x21:
                guard let end = Self.blocksEnd(gif, at + 2) else { return nil }
                if gif[at + 1] == 0xf9 { control = gif[at..<end] }
                at = end
            case 0x2c:
                guard number(at + 1) + number(at + 5) <= width, number(at + 3) + number(at + 7) <= height,
                    let end = Self.blocksEnd(gif, at + 11 + Self.tableLength(gif[at + 9]))
                else { return nil }
                bytes += control + gif[at..<end] + [0x3b]
                return
            default: return nil
            }
        }
        return nil
    }

    /// Tables, one frame and its scans of a JPEG (ITU T.81, B.2), which may be truncated in its last scan.
    /// Nil if there is no scan, there are too many, or it contains something no encoder produces.
    init?(jpeg: [UInt8]) {
        bytes = [0xff, 0xd8]
        (width, height) = (0, 0)
        var scans = 0
        var at = 2
        while at + 3 < jpeg.count, jpeg[at] == 0xff {
            let marker = jpeg[at + 1]
            // Fill bytes of ones may precede a marker.
            guard marker != 0xff else {
                at += 1
                continue
            }
            if marker == 0xd9 { break }
            var end = at + 2 + Self.number(jpeg, at + 2, 2)
            guard end >= at + 4, end <= jpeg.count else { return nil }
            switch marker {
            case 0xc0, 0xc1, 0xc2:
                guard width == 0, end - at >= 10 else { return nil }
                (height, width) = (Self.number(jpeg, at + 5, 2), Self.number(jpeg, at + 7, 2))
                bytes += jpeg[at..<end]
            case 0xc4, 0xdb, 0xdd, 0xee: bytes += jpeg[at..<end]
            // JFIF without its thumbnail.
            case 0xe0: if end - at == 18 { bytes += jpeg[at..<end] }
            case 0xda:
                scans += 1
                guard width > 0, scans <= Picture.scansMax else { return nil }
                end = Self.scanEnd(jpeg, end)
                bytes += jpeg[at..<end]
            case 0xe1...0xef, 0xfe: break
            default: return nil
            }
            at = end
        }
        guard scans > 0 else { return nil }
        bytes += [0xff, 0xd9]
    }

    /// Big-endian.
    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Position of the marker after the data of a scan: a byte 0xff that is not followed by zero or a restart
    /// marker.
    private static func scanEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var at = start
        while at + 1 < bytes.count {
            if bytes[at] == 0xff, bytes[at + 1] != 0, !(0xd0...0xd7).contains(bytes[at + 1]) { return at }
            at += 1
        }
        return bytes.count
    }

    /// Bytes of the colour table that these flags announce.
    private static func tableLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Position after a sequence of blocks, each with its length first; a block of length 0 ends it.
    private static func blocksEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            let length = Int(bytes[at])
            at += 1 + length
            if length == 0 { return at }
        }
        return nil
    }
}
