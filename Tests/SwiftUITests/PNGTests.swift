import CZlib
import Foundation
import Testing

@testable import UIKit

/// What a PNG may be: every depth and kind, interlaced or not, and files that want to do harm.
@Suite struct PNGTests {
    /// Two by two: red, green, blue, and white that is half clear, in all kinds of PNG that can say it.
    private static let colors: [UInt8] = [
        255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128,
    ]

    @Test(arguments: [
        // Bits, kind, rows. The rows begin with their filter: none.
        (8, 6, [[0, 255, 0, 0, 255, 0, 255, 0, 255], [0, 0, 0, 255, 255, 255, 255, 255, 128]]),
        (
            16, 6,
            [
                [0, 255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255],
                [0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 128, 128],
            ]
        ),
        (8, 3, [[0, 0, 1], [0, 2, 3]]), (4, 3, [[0, 0x01], [0, 0x23]]), (2, 3, [[0, 0x10], [0, 0xB0]]),
    ] as [(UInt8, UInt8, [[UInt8]])])
    func everyKindOfColourIsRead(bits: UInt8, kind: UInt8, rows: [[UInt8]]) throws {
        let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
        let more = kind == 3 ? [("PLTE", palette), ("tRNS", [255, 255, 255, 128] as [UInt8])] : []
        let file = try PNGFile.make(2, 2, bits: bits, kind: kind, more: more, rows: rows.flatMap(\.self))
        #expect(try #require(PNG(file)).pixels == Self.colors)
    }

    @Test(arguments: [
        (1, 0, [0, 0b0100_0000], [0, 255]), (2, 0, [0, 0b0110_0000], [85, 170]),
        (8, 0, [0, 7, 201], [7, 201]), (16, 0, [0, 100, 100, 200, 200], [100, 200]),
        (8, 4, [0, 7, 255, 201, 255], [7, 201]),
    ] as [(UInt8, UInt8, [UInt8], [UInt8])])
    func everyKindOfGreyIsRead(bits: UInt8, kind: UInt8, row: [UInt8], greys: [UInt8]) throws {
        let file = try PNGFile.make(2, 1, bits: bits, kind: kind, rows: row)
        #expect(try #require(PNG(file)).pixels == greys.flatMap { [$0, $0, $0, 255] })
    }

    /// The colour that stands for clear (tRNS) of pictures without a palette.
    @Test func oneColourCanBeClear() throws {
        let file = try PNGFile.make(2, 1, kind: 0, more: [("tRNS", [0, 7])], rows: [0, 7, 201])
        #expect(try #require(PNG(file)).pixels == [7, 7, 7, 0, 201, 201, 201, 255])
    }

    /// W3C PNG, 8.2: of two by two pixels the passes 1, 6 and 7 have some.
    @Test(arguments: [8, 16] as [UInt8])
    func interlacedOnesAreRead(bits: UInt8) throws {
        let passes: [[UInt8]] = bits == 16
            ? [[0, 10, 10], [0, 20, 20], [0, 30, 30, 40, 40]] : [[0, 10], [0, 20], [0, 30, 40]]
        let file = try PNGFile.make(2, 2, bits: bits, kind: 0, interlaced: true, rows: passes.flatMap(\.self))
        let greys: [UInt8] = [10, 20, 30, 40]
        #expect(try #require(PNG(file)).pixels == greys.flatMap { [$0, $0, $0, 255] })
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let picture = PNG(width: 2, height: 2, pixels: Self.colors)
        let file = try #require(picture.file)
        let again = try #require(PNG(file))
        #expect(again.width == 2 && again.height == 2 && again.pixels == Self.colors)
    }

    /// Of one bit a pixel, so that a small file has as many as are unpacked, and a row more.
    @Test func whatIsUnpackedHasALimit() throws {
        func file(_ height: Int) throws -> Data {
            try PNGFile.make(
                4_096, UInt32(height), bits: 1, kind: 0, rows: [UInt8](repeating: 0, count: 513 * height))
        }
        #expect(PNG.pixelsMax == 4_096 * 2_048)
        #expect(PNG(try file(2_048))?.height == 2_048)
        #expect(PNG(try file(2_049)) == nil)
    }

    /// A header may promise any size: nothing is allocated for it.
    @Test(arguments: [(1, 8_388_609), (UInt32.max, UInt32.max), (2_147_483_647, 1)] as [(UInt32, UInt32)])
    func sizesThatCannotBeAreRefused(width: UInt32, height: UInt32) throws {
        #expect(PNG(try PNGFile.make(width, height, kind: 0, rows: [0, 1])) == nil)
    }

    /// Cut anywhere, without its pixels, with a wrong sum: none is read further than it goes. What is packed
    /// in texts and behind the last row is not unpacked.
    @Test func damagedOnesAreRefused() throws {
        let rows: [UInt8] = [0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 128]
        let good = try PNGFile.make(2, 2, rows: rows)
        #expect(PNG(good) != nil)
        let pixelsEnd = good.count - 12  // IEND
        for end in 0..<pixelsEnd - 4 { #expect(PNG(good.prefix(end)) == nil, "cut at \(end)") }
        var wrong = good
        wrong[pixelsEnd - 1] ^= 1
        #expect(PNG(wrong) == nil, "the sum of the pixels")
        #expect(PNG(try PNGFile.make(2, 2, rows: Array(rows.prefix(9)))) == nil, "one row of two")
        #expect(PNG(try PNGFile.make(2, 2, kind: 3, rows: [0, 0, 1, 0, 2, 3])) == nil, "no palette")
        #expect(PNG(try PNGFile.make(2, 2, bits: 3, kind: 0, rows: [0, 0, 0, 0])) == nil, "no such depth")
        let much = try PNGFile.make(2, 2, rows: rows + [UInt8](repeating: 0, count: 1 << 20))
        #expect(PNG(much).map { $0.pixels == Self.colors } ?? true, "behind the last row")
        let text = try Array("k\0\0".utf8) + PNGFile.packed([UInt8](repeating: 0x41, count: 16 << 20))
        let bomb = try PNGFile.make(2, 2, more: [("zTXt", text)], rows: rows)
        #expect(try #require(PNG(bomb)).pixels == Self.colors, "texts are not unpacked")
    }

    /// Whatever is changed, it is read or refused; the process goes on.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mutationsNeverTrap(seed: UInt64) throws {
        var state = seed
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
        let bodies: [(UInt8, [(String, [UInt8])], [UInt8])] = [
            (6, [], [0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 128]),
            (3, [("PLTE", palette), ("tRNS", [255, 0])], [0, 0, 1, 0, 2, 3]),
        ]
        for round in 0..<3_000 {
            var (kind, more, rows) = bodies[round % 2]
            var header = PNGFile.header(2, 2, bits: 8, kind: kind, interlaced: round % 3 == 0)
            if random(2) == 0 { header[8 + random(5)] = UInt8(random(17)) }
            if random(2) == 0 { rows[random(rows.count)] = UInt8(random(256)) }
            if random(4) == 0, !more.isEmpty { more[0].1 = Array(more[0].1.prefix(random(13))) }
            var packed = try PNGFile.packed(rows)
            if random(2) == 0 { packed[random(packed.count)] = UInt8(random(256)) }
            kind = header[9]
            // Either way is fine.
            _ = PNG(PNGFile.file([("IHDR", header)] + more + [("IDAT", packed), ("IEND", [])]))
        }
    }
}

/// Writes PNGs chunk by chunk, with the right sums.
enum PNGFile {
    static func make(
        _ width: UInt32, _ height: UInt32, bits: UInt8 = 8, kind: UInt8 = 6, interlaced: Bool = false,
        more: [(String, [UInt8])] = [], rows: [UInt8]
    ) throws -> Data {
        let header = header(width, height, bits: bits, kind: kind, interlaced: interlaced)
        return file([("IHDR", header)] + more + [("IDAT", try packed(rows)), ("IEND", [])])
    }

    static func header(
        _ width: UInt32, _ height: UInt32, bits: UInt8, kind: UInt8, interlaced: Bool
    ) -> [UInt8] {
        big(width) + big(height) + [bits, kind, 0, 0, interlaced ? 1 : 0]
    }

    static func file(_ chunks: [(String, [UInt8])]) -> Data {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for (name, body) in chunks {
            let named = Array(name.utf8) + body
            bytes += big(UInt32(body.count)) + named + named.withUnsafeBufferPointer {
                big(UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))))
            }
        }
        return Data(bytes)
    }

    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        try #require(compress(&packed, &count, bytes, UInt(bytes.count)) == Z_OK)
        return Array(packed.prefix(Int(count)))
    }

    private static func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
