import Bus
import Contract
import FileAccess
import Foundation
import Testing

@testable import NotifierCore

/// The daemon is told of copies of ours only: of pictures that are plain files, of a known kind and size.
@Suite @BusActor struct PictureTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    private static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        png + [0, 0, width, 1, 0, 0, height, 1, 8, 6, 0, 0, 0]
    }
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
        #expect(try Picture(Array("GIF89a".utf8) + [64, 0, 48, 0, 0, 0, 0]).kind == .gif)
        let wrong: [[UInt8]] = [
            [], Self.png(16, 1), Self.png(1, 16), Self.png, Array("<svg xmlns='http://x'/>".utf8),
            [0xff, 0xd8, 0xff], Array(Self.jpeg.prefix(12)), Array("GIF89a".utf8) + [0, 0, 1, 0, 0, 0, 0],
            Self.png(1, 1) + [UInt8](repeating: 0, count: Picture.bytesMax),
        ]
        for bytes in wrong {
            #expect(throws: FileError.self, "\(bytes.prefix(40))") { try Picture(bytes) }
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
        let bytes = Self.png(1, 1) + [UInt8](repeating: 0, count: Picture.bytesMax - 100)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let pictures = Pictures(directory: copies, state: directory + "/state")
        for number in 0..<10 {
            _ = try pictures.take(file, for: NotificationKey(client: nil, identifier: "\(number)"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: copies)
        #expect(Set(left) == Set((3...10).map { "\($0).png" }))
    }
}
