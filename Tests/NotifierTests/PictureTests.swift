import CZlib
import Contract
import FileAccess
import Foundation
import Loop
import Testing

@testable import NotifierCore

/// The daemon gets only paths of our copies, of pictures that are regular files of a known kind and size.
@Suite @LoopActor struct PictureTests {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// A chunk with no checksum to speak of.
    private static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: data.count >> ($0 * 8)) }
        return length + Array(type.utf8) + data + [1, 2, 3, 4]
    }
    private static func header(
        _ width: Int, _ height: Int, bits: UInt8 = 8, colour: UInt8 = 0, interlaced: UInt8 = 0
    ) -> [UInt8] {
        [width, height].flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 255)] } + [bits, colour, 0, 0, interlaced]
    }
    private static func packed(_ count: Int, level: Int32 = 0) -> [UInt8] {
        let plain = [UInt8](repeating: 0, count: count)
        var bytes = [UInt8](repeating: 0, count: Int(compressBound(UInt(count))))
        var length = UInt(bytes.count)
        #expect(compress2(&bytes, &length, plain, UInt(count), level) == Z_OK)
        return Array(bytes.prefix(Int(length)))
    }
    private static func png(header: [UInt8], pixels: [UInt8], beside chunks: [UInt8] = []) -> [UInt8] {
        signature + chunk("IHDR", header) + chunks + chunk("IDAT", Array(pixels.prefix(10)))
            + chunk("IDAT", Array(pixels.dropFirst(10))) + chunk("IEND")
    }
    /// A byte for each pixel.
    private static func png(_ width: Int, _ height: Int, beside chunks: [UInt8] = []) -> [UInt8] {
        let pixels = packed((width + 1) * height, level: width > 1_000 ? 0 : 6)
        return png(header: header(width, height), pixels: pixels, beside: chunks)
    }

    private static let gifHead: [UInt8] =
        Array("GIF89a".utf8) + [64, 0, 48, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    private static func frame(_ width: UInt8 = 64, left: UInt8 = 0) -> [UInt8] {
        [0x2c, left, 0, 0, 0, width, 0, 48, 0, 0, 2, 3, 9, 9, 9, 1, 8, 0]
    }
    private static let transparency: [UInt8] = [0x21, 0xf9, 4, 1, 0, 0, 1, 0]
    private static let words: [UInt8] = [0x21, 0xfe, 2, 65, 66, 0]

    private static let frame: [UInt8] = [0xff, 0xc2, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0]
    private static let tables: [UInt8] = [0xff, 0xc4, 0, 4, 9, 9]
    private static let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 1, 0, 5, 0xff, 0, 0xff, 0xd3, 6]
    private static let jpegEnd: [UInt8] = [0xff, 0xd9]
    private static let jpeg = [0xff, 0xd8] + tables + frame + scan + jpegEnd

    private static func directory() throws -> String {
        var template = Array((NSTemporaryDirectory() + "/pictures-XXXXXX").utf8CString)
        return String(cString: try #require(mkdtemp(&template)))
    }

    private static func remove(_ directory: String) {
        #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: directory) }
    }

    @Test func theHeadTellsKindAndSize() throws {
        #expect(try Picture(Self.png(1, 2)).kind == .png)
        #expect(try Picture(Self.jpeg).kind == .jpeg)
        #expect(try Picture(Self.gifHead + Self.frame()).kind == .gif)
        let gif = Array("GIF89a".utf8)
        let wrong: [[UInt8]] = [
            [], Self.png(4_097, 1), Self.png(1, 4_097), Self.png(0, 1), Self.signature,
            Array("<svg xmlns='http://x'/>".utf8), [0xff, 0xd8, 0xff], Array(Self.jpeg.prefix(12)), gif,
            gif + [0, 0, 1, 0, 0, 0, 0] + Self.frame(),
            Self.png(1, 1) + [UInt8](repeating: 0, count: Picture.bytesMax),
            // A frame beyond the picture.
            Self.gifHead + Self.frame(65), Self.gifHead + Self.frame(64, left: 1), Self.gifHead + [0x3b],
        ]
        for bytes in wrong {
            #expect(throws: FileError.self, "\(bytes.prefix(40))") { try Picture(bytes) }
        }
    }

    @Test func whatIsCutOffIsRefusedAtEachByte() throws {
        for whole in [Self.png(1, 1), Self.gifHead + Self.words + Self.frame()] {
            for count in 0..<whole.count {
                let part = Array(whole.prefix(count))
                #expect(throws: FileError.self, "\(count) bytes") { try Picture(part) }
            }
            #expect(throws: Never.self) { try Picture(whole) }
        }
        // Of a JPEG what came is drawn.
        for count in 0..<Self.jpeg.count {
            let picture = try? Picture(Array(Self.jpeg.prefix(count)))
            #expect((picture != nil) == (count >= Self.jpeg.count - Self.jpegEnd.count - 6), "\(count)")
            if let picture { #expect(picture.bytes.suffix(2) == Self.jpegEnd[...]) }
        }
    }

    /// Compressed texts and further frames cost the daemon more than their bytes suggest.
    @Test func onlyWhatIsDrawnIsPassedOn() throws {
        let transparent = Self.chunk("tRNS", [0])
        let text = Self.chunk("zTXt", [1, 2, 3]) + transparent + Self.chunk("iTXt", [4])
        let picture = try Picture(Self.png(1, 1, beside: text) + [9, 9])
        #expect(picture.bytes == Self.png(1, 1, beside: transparent))
        let moving = Self.gifHead + Self.words + Self.transparency + Self.frame() + Self.words
        let frames = [[UInt8]](repeating: Self.transparency + Self.frame(8), count: 60_000).flatMap(\.self)
        #expect(
            try Picture(moving + frames + [0x3b]).bytes
                == Self.gifHead + Self.transparency + Self.frame() + [0x3b])
        func jpeg(_ scans: Int, beside: [UInt8] = []) -> [UInt8] {
            [0xff, 0xd8] + beside + Self.frame + Self.tables
                + [[UInt8]](repeating: Self.scan + Self.tables, count: scans).flatMap(\.self) + Self.jpegEnd
        }
        let place: [UInt8] = [0xff, 0xe1, 0, 6, 0xff, 0xda, 0xff, 0xda, 0xff, 0xfe, 0, 3, 65]
        #expect(try Picture(jpeg(Picture.scansMax, beside: place)).bytes == jpeg(Picture.scansMax))
        #expect(throws: FileError.self) { try Picture(jpeg(Picture.scansMax + 1)) }
        // As phones put a short film behind a photograph.
        let film = [[UInt8]](repeating: Self.scan, count: 99).flatMap(\.self)
        #expect(try Picture(jpeg(2) + film).bytes == jpeg(2))
    }

    /// What one reader takes for a part with a length another reads as what comes next.
    @Test(arguments: [0x00, 0x01, 0x02, 0x4f, 0xbf, 0xc3, 0xc8, 0xd0, 0xd8, 0xdc, 0xde, 0xf0] as [UInt8])
    func aJpegHasNoOtherParts(marker: UInt8) {
        let huge: [UInt8] = [0xff, 0xc0, 0, 11, 8, 0xff, 0xdc, 0xff, 0xdc, 1, 1, 0x11, 0]
        let hidden = [0xff, marker, 0, UInt8(huge.count + 2)] + huge
        #expect(throws: FileError.self) {
            try Picture([0xff, 0xd8] + hidden + Self.frame + Self.tables + Self.scan + Self.jpegEnd)
        }
        #expect(throws: FileError.self, "a second frame") {
            try Picture([0xff, 0xd8] + Self.frame + Self.frame + Self.scan + Self.jpegEnd)
        }
    }

    /// All pixel data is decompressed, even after the last row.
    @Test func pixelsAreExactlyThoseOfTheHeader() throws {
        func picture(_ header: [UInt8], _ bytes: Int) throws -> Picture {
            try Picture(Self.png(header: header, pixels: Self.packed(bytes, level: 6)))
        }
        // Bits and samples of a pixel; rows of an interlaced image, counted by hand.
        let cases: [(header: [UInt8], bytes: Int)] = [
            (Self.header(9, 3), 3 * 10), (Self.header(9, 3, bits: 1), 3 * 3),
            (Self.header(9, 3, bits: 16, colour: 2), 3 * 55), (Self.header(9, 3, colour: 6), 3 * 37),
            (Self.header(9, 3, bits: 4, colour: 3), 3 * 6), (Self.header(9, 3, colour: 4), 3 * 19),
            // Of 5 x 5: passes of 1x1, 1x1, 2x1, 1x2, 3x1, 2x3, 5x2.
            (Self.header(5, 5, interlaced: 1), 2 + 2 + 3 + 4 + 4 + 9 + 12),
            (Self.header(1, 1, interlaced: 1), 2),
        ]
        for (header, bytes) in cases {
            #expect(throws: Never.self, "\(header)") { try picture(header, bytes) }
            for other in [bytes - 1, bytes + 1, 4_000_000] {
                #expect(throws: FileError.self, "\(header): \(other)") { try picture(header, other) }
            }
        }
        #expect(throws: FileError.self) { try picture(Self.header(4_096, 4_096, bits: 16, colour: 6), 9) }
        for header in [Self.header(1, 1, colour: 5), Self.header(1, 1, interlaced: 2)] {
            #expect(throws: FileError.self) { try picture(header, 2) }
        }
    }

    @Test func onlyPlainFilesAreTakenAndByNoLinkOfOthers() throws {
        let directory = try Self.directory()
        defer { Self.remove(directory) }
        let (copies, state, outside) = (directory + "/copies", directory + "/state", directory + "/outside")
        let pictures = Pictures(directory: copies, state: state)
        for place in [state + "/groups/g", outside] {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data(Self.png(1, 1)).write(to: URL(fileURLWithPath: place + "/a.png"))
            #expect(mkfifo(place + "/fifo", 0o600) == 0)
            #expect(symlink(outside + "/a.png", place + "/link.png") == 0)
        }
        #expect(symlink(outside, state + "/groups/g/far") == 0)
        let key = NotificationKey(client: "org.example.app", identifier: "one")
        for path in [state + "/groups/g/a.png", outside + "/a.png"] {
            let copy = try pictures.take(path, for: key)
            #expect(copy.hasPrefix(copies + "/"))
            #expect(FileManager.default.contents(atPath: copy).map(Array.init) == Self.png(1, 1))
            // One at a time for each notification.
            #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 1)
        }
        for name in ["fifo", "link.png", "far/a.png", "missing", "../g/a.png", ""] {
            #expect(throws: ServiceError.self, "\(name)") {
                try pictures.take("\(state)/groups/g/\(name)", for: key)
            }
        }
        for path in [outside + "/fifo", outside, "/dev/zero", "/dev/null"] {
            #expect(throws: ServiceError.self, "\(path)") { try pictures.take(path, for: key) }
        }
        pictures.dropAll()
        #expect(access(copies, F_OK) != 0)
    }

    /// What an earlier process left goes, and the oldest make room.
    @Test func picturesAreBounded() throws {
        let directory = try Self.directory()
        defer { Self.remove(directory) }
        let copies = directory + "/copies"
        try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: copies + "/old"))
        let file = directory + "/big.png"
        let bytes = Self.png(2_000, 2_094)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let pictures = Pictures(directory: copies, state: directory + "/state")
        for number in 0..<10 {
            _ = try pictures.take(file, for: NotificationKey(client: nil, identifier: "\(number)"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: copies)
        #expect(Set(left) == Set((3...10).map { "\($0).png" }))
    }
}
