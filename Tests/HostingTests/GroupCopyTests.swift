import Contract
import Foundation
import Testing

@testable import Hosting

/// The content of an app group is copied completely, and nothing else, whatever a program puts there.
@Suite struct GroupCopyTests {
    private static let group = "group.org.screentime.example"
    private let place: Place
    private var groups: String { place.directory + "/groups" }
    private var kept: String { "\(groups)/\(Self.group)" }

    init() throws {
        place = try Place()
        try FileManager.default.createDirectory(
            atPath: kept + "/Library/Preferences", withIntermediateDirectories: true)
    }

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(kept)/\(name)", atomically: false, encoding: .utf8)
    }

    /// A directory that nothing was copied to.
    private func target() throws -> String {
        let path = "\(place.directory)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func copy(to target: String) throws -> GroupCopy.Contents {
        try GroupCopy.copy(Self.group, from: groups, to: target)
    }

    private func names(_ target: String) -> [String] {
        (FileManager.default.enumerator(atPath: target)?.allObjects as? [String] ?? []).sorted()
    }

    @Test func plainFilesAreCopiedAndNothingElse() throws {
        defer { place.remove() }
        let rules = "Library/Preferences/a.plist"
        try write("rules", rules)
        for passing in ["a.plist.lock", "a.plist.new"] { try write("", "Library/Preferences/" + passing) }
        symlink(place.canaryPath + "/d0/0", kept + "/file")
        symlink(place.canaryPath, kept + "/folder")
        mkfifo(kept + "/pipe", 0o666)
        let target = try target()
        let contents = try copy(to: target)
        #expect(contents.files == 1 && contents.bytes == 5)
        let top = Self.group
        #expect(
            names(target) == [top, top + "/Library", top + "/Library/Preferences", "\(top)/\(rules)"])
        var status = stat()
        #expect(lstat("\(target)/\(top)/\(rules)", &status) == 0 && status.st_mode == S_IFREG | 0o600)
        #expect(try GroupCopy.copy(top, from: target, to: nil) == contents)
        try write("rulez", rules)
        #expect(try GroupCopy.copy(top, from: groups, to: nil).sum != contents.sum)
        try "".write(toFile: kept + ".old", atomically: false, encoding: .utf8)
        mkdir(groups + "/group.org.example", 0o700)
        #expect(try GroupCopy.ofSystem(in: groups) == [top])
    }

    /// The group's own directory is not followed if it is a link, either.
    @Test func aLinkInThePlaceOfAGroupIsRefused() throws {
        defer { place.remove() }
        try FileManager.default.removeItem(atPath: kept)
        symlink(place.canaryPath, kept)
        let target = try target()
        #expect(throws: ServiceError.self) { try copy(to: target) }
        #expect(names(target).count <= 1)
    }

    @Test func nothingOutsideIsCopiedWhileDirectoriesAreExchanged() throws {
        defer { place.remove() }
        let swapper = try Swapper(place, in: kept)
        defer { swapper.end() }
        for round in 1...40 {
            let target = try target()
            _ = try copy(to: target)
            let outside = names(target).filter { name in
                FileManager.default.contents(atPath: "\(target)/\(name)") == Data("kept".utf8)
            }
            try #require(outside.isEmpty, "round \(round)")
        }
    }

    @Test func aFileThatIsReplacedMeanwhileIsCopiedWhole() async throws {
        defer { place.remove() }
        let (path, length) = ("\(kept)/a.plist", 300_000)
        func replace(_ byte: UInt8) throws {
            try Data(repeating: byte, count: length).write(to: URL(fileURLWithPath: path + ".new"))
            try #require(rename(path + ".new", path) == 0)
        }
        try replace(0)
        let writer = Task.detached {
            var byte: UInt8 = 0
            while !Task.isCancelled {
                byte = (byte + 1) % 100
                try replace(byte)
            }
        }
        for _ in 1...40 {
            let target = try target()
            #expect(try copy(to: target).bytes == Int64(length))
            let data = try #require(
                FileManager.default.contents(atPath: "\(target)/\(Self.group)/a.plist"))
            try #require(data.count == length && data.allSatisfy { $0 == data.first })
        }
        writer.cancel()
        try await writer.value
    }

    @Test func whatIsOverTheLimitsOfAGroupIsRefused() throws {
        defer { place.remove() }
        try write("", "large")
        #expect(truncate(kept + "/large", off_t(HostingLimits.groupBytesMax) + 1) == 0)
        let large = #expect(throws: ServiceError.self) { try copy(to: try target()) }
        #expect(large?.name == .limitExceeded && large?.message.contains("groupBytesMax") == true)
        unlink(kept + "/large")
        var deep = kept
        for _ in 0..<HostingLimits.treeDepthMax {
            deep += "/d"
            mkdir(deep, 0o700)
        }
        let nested = #expect(throws: ServiceError.self) { try copy(to: try target()) }
        #expect(nested?.message.contains("treeDepthMax") == true)
        try FileManager.default.removeItem(atPath: kept + "/d")
        // With Library and Preferences as many as may be.
        for number in 3...HostingLimits.namesMax { try write("", "f\(number)") }
        #expect(try copy(to: try target()).files == HostingLimits.namesMax - 2)
        try write("", "one more")
        let many = #expect(throws: ServiceError.self) { try copy(to: try target()) }
        #expect(many?.name == .limitExceeded && many?.message.contains("namesMax") == true)
    }
}
