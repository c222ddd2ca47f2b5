import CZlib

/// The size of a PNG's decompressed pixels. A decoder decompresses all of them, even after the last row: four
/// megabytes of zeros become four gigabytes.
struct PixelData {
    /// Bytes of all rows of an image of 4096 x 4096 pixels with four bytes each, and its filter bytes.
    static let bytesMax = 4_096 * (4_096 * 4 + 1)

    /// Decompressed size in bytes.
    let bytes: Int

    /// - Parameter header: the data of IHDR (W3C PNG, 11.2.1). Nil if it is invalid.
    init?(header: [UInt8], width: Int, height: Int) {
        guard header.count == 13, header[12] < 2, let samples = Self.samples[header[9]] else { return nil }
        let bits = Int(header[8]) * samples
        func rows(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : height * (1 + (width * bits + 7) / 8)
        }
        guard header[12] == 1 else {
            bytes = rows(width, height)
            return
        }
        bytes = Self.passes.reduce(0) { sum, pass in
            sum
                + rows(
                    (width - pass.left + pass.across - 1) / pass.across,
                    (height - pass.top + pass.down - 1) / pass.down)
        }
    }

    /// Samples per pixel by colour type.
    private static let samples: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    /// The pixels of each pass of an interlaced image (W3C PNG, 8.2).
    private static let passes: [(left: Int, top: Int, across: Int, down: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    /// Whether the data decompresses to exactly all rows.
    func isExactly(_ packed: [UInt8]) -> Bool {
        guard bytes <= Self.bytesMax else { return false }
        var stream = z_stream()
        guard inflate_begin(&stream) == Z_OK else { return false }
        defer { inflateEnd(&stream) }
        var packed = packed
        var rows = [UInt8](repeating: 0, count: 1 << 16)
        return packed.withUnsafeMutableBufferPointer { packed in
            rows.withUnsafeMutableBufferPointer { rows in
                stream.next_in = packed.baseAddress
                stream.avail_in = UInt32(packed.count)
                var state = Z_OK
                while state == Z_OK, stream.total_out <= bytes {
                    stream.next_out = rows.baseAddress
                    stream.avail_out = UInt32(rows.count)
                    state = inflate(&stream, Z_NO_FLUSH)
                }
                return state == Z_STREAM_END && stream.total_out == bytes && stream.avail_in == 0
            }
        }
    }
}
