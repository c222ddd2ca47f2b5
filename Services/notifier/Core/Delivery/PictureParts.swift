/// What is passed on of a picture: what is drawn, and nothing that costs more than that. A few bytes of
/// packed text become megabytes in a PNG, and a GIF of a few kilobytes has frames for minutes.
enum PictureParts {
    /// Header, palette, transparency and pixels of a PNG (W3C PNG, 5.3: a chunk is its length, type, data and
    /// checksum); nil: they are not whole.
    static func png(_ bytes: [UInt8]) -> [UInt8]? {
        let kept = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map { Array($0.utf8) }
        var parts = Array(bytes.prefix(8))
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - at - 12 else { return nil }
            let chunk = bytes[at..<at + 12 + length]
            let type = Array(bytes[at + 4..<at + 8])
            if kept.contains(type) { parts += chunk }
            if type == kept.last { return parts }
            at = chunk.endIndex
        }
        return nil
    }

    /// The first frame of a GIF with its transparency (GIF89a, 17 to 27); nil: it is not whole, or larger
    /// than the picture.
    static func gif(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 13 else { return nil }
        var at = 13 + tableLength(bytes[10])
        guard at <= bytes.count else { return nil }
        let head = Array(bytes[..<at])
        var control: ArraySlice<UInt8> = []
        while at + 10 < bytes.count {
            switch bytes[at] {
            case 0x21:
                guard let end = blocksEnd(bytes, at + 2) else { return nil }
                if bytes[at + 1] == 0xf9 { control = bytes[at..<end] }
                at = end
            case 0x2c:
                func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
                guard number(at + 1) + number(at + 5) <= number(6),
                    number(at + 3) + number(at + 7) <= number(8),
                    let end = blocksEnd(bytes, at + 11 + tableLength(bytes[at + 9]))
                else { return nil }
                return head + control + bytes[at..<end] + [0x3b]
            default: return nil
            }
        }
        return nil
    }

    /// Bytes of the table of colours that such a byte of flags announces.
    private static func tableLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// The place after a row of blocks, each with its length before it; one without ends them.
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
