import Foundation
import Testing

@testable import FoundationExtras

/// Defaults of an app group lie where confined programs may write: an unconfined app that uses them is not
/// led to files of the person.
@Suite struct PreferencesTests {
    private let place: Place
    private let group: String
    private var preferences: String { group + "/Library/Preferences" }
    private var target: String { place.canaryPath + "/d0/0" }

    init() throws {
        place = try Place()
        group = place.directory + "/group"
        try FileManager.default.createDirectory(
            atPath: group + "/Library/Preferences", withIntermediateDirectories: true)
    }

    private func file() -> PreferencesFile { PreferencesFile(name: "suite", in: group, isWritable: true) }

    private func expectNothingOutsideChanged() throws {
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
        #expect(place.canary().count == 310)
        place.remove()
    }

    @Test(arguments: ["suite.plist.lock", "suite.plist", "suite.plist.new"])
    func aLinkInPlaceOfAFile(name: String) throws {
        #expect(symlink(target, "\(preferences)/\(name)") == 0)
        let file = file()
        let isWritten = file.change { $0["key"] = "value" }
        // What a write replaces may be anything; what it opens may not be a link.
        #expect(isWritten == (name != "suite.plist.lock"))
        #expect(file.values["key"] as? String == (isWritten ? "value" : nil))
        try expectNothingOutsideChanged()
    }

    @Test(arguments: ["Library", "Library/Preferences"])
    func aLinkInPlaceOfADirectory(name: String) throws {
        try FileManager.default.removeItem(atPath: "\(group)/\(name)")
        #expect(symlink(place.canaryPath, "\(group)/\(name)") == 0)
        let file = file()
        #expect(!file.change { $0["key"] = "value" })
        #expect(file.values.isEmpty)
        try expectNothingOutsideChanged()
    }

    @Test(arguments: ["suite.plist.lock", "suite.plist"])
    func aFIFOMakesNobodyWait(name: String) throws {
        #expect(mkfifo("\(preferences)/\(name)", 0o600) == 0)
        let file = file()
        #expect(file.values.isEmpty)
        file.change { $0["key"] = "value" }
        try expectNothingOutsideChanged()
    }

    @Test func whatIsTooLongIsNotRead() throws {
        let path = preferences + "/suite.plist"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        #expect(truncate(path, 1 << 40) == 0)
        #expect(file().values.isEmpty)
        try expectNothingOutsideChanged()
    }

    /// A binary list of the objects, each given without references; each of those has 4 bytes.
    private static func binaryList(_ objects: [[UInt8]]) -> Data {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
        for object in objects {
            offsets += number(bytes.count, 4)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
        return Data(bytes + number(objects.count, 8) + number(0, 8) + number(table, 8))
    }

    private static func reference(_ index: Int) -> [UInt8] { [0, 0, 0, UInt8(index)] }

    /// Each list has the next one twice: some hundred bytes of file would become 2^40 objects.
    @Test func aListThatNamesItsObjectsAgainAndAgainIsNotRead() throws {
        let depth = 40
        var objects: [[UInt8]] = [[0xD1] + Self.reference(depth + 1) + Self.reference(1)]
        for index in 1..<depth {
            objects.append([0xA2] + Self.reference(index + 1) + Self.reference(index + 1))
        }
        objects += [[0x10, 1], [0x51, 0x61]]
        let path = preferences + "/suite.plist"
        try Self.binaryList(objects).write(to: URL(filePath: path))
        let file = file()
        #expect(file.values.isEmpty && !file.change { $0["key"] = "value" })
        // One that holds itself, and the same with little in it.
        objects = [[0xD1] + Self.reference(2) + Self.reference(1), [0xA1] + Self.reference(1), [0x51, 0x61]]
        #expect(BinaryListCost.exceeds(Self.binaryList(objects), 1 << 20))
        objects[1] = [0xA2] + Self.reference(2) + Self.reference(2)
        #expect(!BinaryListCost.exceeds(Self.binaryList(objects), 1 << 20))
        // A dictionary, a key, a list and twice a text: 16 bytes each, and 1 more for each text.
        #expect(!BinaryListCost.exceeds(Self.binaryList(objects), 5 * 16 + 3))
        #expect(BinaryListCost.exceeds(Self.binaryList(objects), 5 * 16 + 2))
        try expectNothingOutsideChanged()
    }

    @Test func manyValuesAreRead() throws {
        let file = file()
        let texts = (0..<20_000).map { "text \($0 % 100)" }
        #expect(file.change { $0["texts"] = texts })
        #expect(self.file().values["texts"] as? [String] == texts)
        try expectNothingOutsideChanged()
    }

    /// An unreadable file may be the only copy: a write leaves it unchanged.
    @Test(arguments: ["bplist00 and then nothing", "<plist version=\"1.0\"><array/></plist>", ""])
    func whatCannotBeReadIsNotReplaced(damaged: String) throws {
        let path = preferences + "/suite.plist"
        let file = file()
        #expect(file.change { $0["key"] = "value" })
        try damaged.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(file.values.isEmpty)
        #expect(!file.change { $0["other"] = "value" })
        #expect(try String(contentsOfFile: path, encoding: .utf8) == damaged)
        try FileManager.default.removeItem(atPath: path)
        #expect(file.change { $0["other"] = "value" })
        #expect(file.values.keys.sorted() == ["other"])
        try expectNothingOutsideChanged()
    }

    /// A name with a slash names no file anywhere else.
    @Test func aSuiteIsOneName() throws {
        let file = PreferencesFile(name: "../../../canary/d0/0", in: group, isWritable: true)
        #expect(!file.change { $0["key"] = "value" })
        try expectNothingOutsideChanged()
    }

    /// A program exchanges `Library` with a link all the time, while an app writes.
    @Test func aRaceLeadsNowhere() throws {
        let swapper = try Swapper(place, in: group)
        let before = place.canary()
        var written = 0
        for round in 1...400 {
            if file().change({ $0["round"] = round }) { written += 1 }
            if round % 20 == 0 { try #require(place.canary() == before, "round \(round)") }
        }
        swapper.end()
        print("\(written) of 400 writes found the directory")
        try expectNothingOutsideChanged()
    }

    /// A confined program that never releases the lock does not block others forever.
    @Test func aLockThatIsHeldEndsTheWriteInTime() throws {
        let first = file()
        #expect(first.change { $0["key"] = "value" })
        let holder = open("\(preferences)/suite.plist.lock", O_RDWR | O_CLOEXEC)
        #expect(holder >= 0 && flock(holder, LOCK_EX) == 0)
        let second = file()
        let startMs = DispatchTime.now().uptimeNanoseconds / 1_000_000
        #expect(!second.change { $0["key"] = "other" })
        #expect(DispatchTime.now().uptimeNanoseconds / 1_000_000 - startMs < 20_000)
        #expect(second.values["key"] as? String == "value")
        close(holder)
        #expect(second.change { $0["key"] = "other" })
        try expectNothingOutsideChanged()
    }
}
