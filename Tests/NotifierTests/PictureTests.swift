import Bus
import Contract
import FileAccess
import Foundation
import Testing

@testable import NotifierCore

/// The daemon is told of copies of ours only: of pictures that are plain files, of a known kind and size.
@Suite @BusActor struct PictureTests {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// A chunk with no checksum to speak of.
    private static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: data.count >> ($0 * 8)) }
        return length + Array(type.utf8) + data + [1, 2, 3, 4]
    }
    /// 256 times `width` + 1 pixels, and as much of `height`.
    private static func png(
        _ width: UInt8, _ height: UInt8, beside chunks: [UInt8] = [], pixels: Int = 4
    ) -> [UInt8] {
        signature + chunk("IHDR", [0, 0, width, 1, 0, 0, height, 1, 8, 6, 0, 0, 0]) + chunks
            + chunk("IDAT", [UInt8](repeating: 7, count: pixels)) + chunk("IEND")
    }

    private static let gifHead: [UInt8] =
        Array("GIF89a".utf8) + [64, 0, 48, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    private static func frame(_ width: UInt8 = 64, left: UInt8 = 0) -> [UInt8] {
        [0x2c, left, 0, 0, 0, width, 0, 48, 0, 0, 2, 3, 9, 9, 9, 1, 8, 0]
    }
    private static let transparency: [UInt8] = [0x21, 0xf9, 4, 1, 0, 0, 1, 0]
    private static let words: [UInt8] = [0x21, 0xfe, 2, 65, 66, 0]

    private static let jpeg: [UInt8] = [
        0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc4, 0, 4, 9, 9, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 48, 0,
        64, 1, 1,
    ]

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
            [], Self.png(16, 1), Self.png(1, 16), Self.signature, Array("<svg xmlns='http://x'/>".utf8),
            [0xff, 0xd8, 0xff], Array(Self.jpeg.prefix(12)), gif, gif + [0, 0, 1, 0, 0, 0, 0] + Self.frame(),
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
    }

    /// Packed words and further frames cost the daemon more than their bytes say.
    @Test func onlyWhatIsDrawnIsPassedOn() throws {
        let transparent = Self.chunk("tRNS", [0])
        let packed = Self.chunk("zTXt", [1, 2, 3]) + transparent + Self.chunk("iTXt", [4])
        let picture = try Picture(Self.png(1, 1, beside: packed) + [9, 9])
        #expect(picture.bytes == Self.png(1, 1, beside: transparent))
        let moving = Self.gifHead + Self.words + Self.transparency + Self.frame() + Self.words
        let frames = [[UInt8]](repeating: Self.transparency + Self.frame(8), count: 60_000).flatMap(\.self)
        #expect(
            try Picture(moving + frames + [0x3b]).bytes
                == Self.gifHead + Self.transparency + Self.frame() + [0x3b])
        let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 1, 0, 5, 5]
        func jpeg(_ scans: Int) -> [UInt8] {
            Self.jpeg + [[UInt8]](repeating: scan, count: scans).flatMap(\.self)
        }
        #expect(try Picture(jpeg(Picture.scansMax)).bytes == jpeg(Picture.scansMax))
        #expect(throws: FileError.self) { try Picture(jpeg(Picture.scansMax + 1)) }
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
        let bytes = Self.png(1, 1, pixels: Picture.bytesMax - 100)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let pictures = Pictures(directory: copies, state: directory + "/state")
        for number in 0..<10 {
            _ = try pictures.take(file, for: NotificationKey(client: nil, identifier: "\(number)"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: copies)
        #expect(Set(left) == Set((3...10).map { "\($0).png" }))
    }
}
