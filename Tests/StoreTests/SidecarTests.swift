import Glibc
import Store
import Testing

/// Whatever bit of a store turns over, and wherever its log is cut: the opening names the damage, or
/// everything that was committed is there. Nothing is ever lost or changed in silence.
@Suite struct SidecarTests {
    /// A store whose main file has most of its pages, and whose log has the last commits.
    private func killed(commits: Int = 30, inLog: Int = 12) throws -> (StoreImage, StoreContent) {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<commits { try writer.commit() }
        try database.checkpoint(.truncate)
        for _ in 0..<inLog { try writer.commit() }
        return (try StoreImage(of: room.path), try StoreContent(database))
    }

    private func closed() throws -> (StoreImage, StoreContent) {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<40 { try writer.commit() }
        let content = try StoreContent(database)
        try database.close()
        return (try StoreImage(of: room.path), content)
    }

    private enum Outcome: Equatable { case named, same }

    @discardableResult
    private func open(_ image: StoreImage, expecting content: StoreContent, _ what: String) throws -> Outcome?
    {
        let room = try image.room()
        let database: Database
        do throws(StoreError) { database = try room.open() } catch {
            #expect(error.kind == .damaged, "\(what): \(error)")
            for (suffix, bytes) in image.files where suffix != ".lock" {
                #expect(
                    try StoreTests.bytes(of: room.path + suffix) == bytes, "\(what): \(suffix) was changed")
            }
            return .named
        }
        let found = try StoreContent(database)
        #expect(found == content, "\(what): it opens, and something is lost or changed")
        return found == content ? .same : nil
    }

    @Test func anUndamagedStoreOpens() throws {
        for (image, content) in [try killed(), try closed()] {
            #expect(try open(image, expecting: content, "undamaged") == .same)
        }
    }

    @Test func closingLeavesEverythingInTheMainFile() throws {
        let (image, content) = try closed()
        #expect(image.files["-wal"] == nil, "the log is still there")
        var alone = image
        alone.files["-state"] = nil
        alone.files[".lock"] = nil
        #expect(try open(alone, expecting: content, "the main file alone") == .same)
    }

    @Test func everyFlippedBitOfAClosedStoreIsNamed() throws {
        let (image, content) = try closed()
        var random = SeededGenerator()
        let bits = try #require(image.files[""]).count * 8
        for _ in 0..<150 {
            let bit = Int.random(in: 0..<bits, using: &random)
            let what = "seed \(random.seed), bit \(bit % 8) of byte \(bit / 8)"
            #expect(try open(image.flipping("", bit: bit), expecting: content, what) == .named, "\(what)")
        }
    }

    @Test func noFlippedBitOfAKilledStorePassesInSilence() throws {
        let (image, content) = try killed()
        var random = SeededGenerator()
        for suffix in ["", "-wal", "-state"] {
            let bits = try #require(image.files[suffix]).count * 8
            var named = 0
            for _ in 0..<120 {
                let bit = Int.random(in: 0..<bits, using: &random)
                let what = "seed \(random.seed), bit \(bit % 8) of byte \(bit / 8) of the file '\(suffix)'"
                if try open(image.flipping(suffix, bit: bit), expecting: content, what) == .named {
                    named += 1
                }
            }
            if suffix != "-state" { #expect(named > 50, "'\(suffix)': only \(named) of 120 were named") }
        }
    }

    /// Every bit of the header, and of the last commit's frames: what a torn write could have left.
    @Test func noFlippedBitInTheLastCommitPassesInSilence() throws {
        let (image, content) = try killed(inLog: 3)
        let log = try #require(image.files["-wal"])
        for bit in stride(from: 0, to: 32 * 8, by: 5) {
            try open(image.flipping("-wal", bit: bit), expecting: content, "bit \(bit) of the log's header")
        }
        for byte in stride(from: log.count - 4120, to: log.count, by: 173) {
            let what = "byte \(byte) of the last frame"
            #expect(try open(image.flipping("-wal", bit: byte * 8), expecting: content, what) == .named)
        }
    }

    /// At every border between frames, and in the middle of each.
    @Test func everyCutOfTheLogIsNamed() throws {
        let (image, content) = try killed()
        let count = try #require(image.files["-wal"]).count
        for cut in stride(from: 0, to: count, by: 2060) {
            #expect(
                try open(image.cutting("-wal", to: cut), expecting: content, "cut to \(cut)") == .named,
                "the log cut to \(cut) of \(count) bytes")
        }
        var gone = image
        gone.files["-wal"] = nil
        #expect(try open(gone, expecting: content, "no log") == .named)
    }

    @Test func everyCutOfTheMainFileIsNamed() throws {
        let (image, content) = try closed()
        for cut in stride(from: 0, to: try #require(image.files[""]).count, by: 1024) {
            #expect(try open(image.cutting("", to: cut), expecting: content, "cut to \(cut)") == .named)
        }
    }

    /// The error names the file, what is missing, and a remedy.
    @Test func theErrorSaysWhatIsLost() throws {
        let (image, _) = try killed()
        let room = try image.cutting("-wal", to: 32).room()
        let error = try room.openingError()
        #expect(error.message.contains(room.path) && error.message.contains("was committed"), "\(error)")
        #expect(error.remedy.contains("-state"), "\(error)")
    }

    /// Another program that opened a killed store and closed it has moved the log; nothing is lost.
    @Test func aLogMovedByAnotherProgramIsNoDamage() throws {
        let (image, content) = try killed()
        let room = try image.room()
        do {
            let other = try RawDatabase(room.path)
            #expect(try other.integer("SELECT count(*) FROM note") > 0)
        }
        #expect(access(room.log, F_OK) != 0, "nothing was moved")
        #expect(try StoreContent(room.open()) == content)
    }

    /// Removing the file means that the person accepts the store as it is.
    @Test func withoutItsSidecarAStoreIsTakenAsItIs() throws {
        var (image, content) = try closed()
        image.files["-state"] = nil
        let room = try image.room()
        do {
            let database = try room.open()
            #expect(try StoreContent(database) == content)
            #expect(database.replaced == nil)
        }
        var damaged = try StoreImage(of: room.path)
        damaged = damaged.flipping("", bit: 8 * 5000)
        #expect(try open(damaged, expecting: content, "after it was taken") == .named)
    }

    @Test func aBrokenSidecarIsNamed() throws {
        var (image, content) = try closed()
        image.files["-state"] = []
        #expect(try open(image, expecting: content, "an empty sidecar") == .named)
        image.files["-state"] = [UInt8](repeating: 0xff, count: 8192)
        #expect(try open(image, expecting: content, "a sidecar of garbage") == .named)
    }

    /// Another store in the same place is not damage, but is detected.
    @Test func aReplacedStoreIsTold() throws {
        let (mine, _) = try closed()
        let room = try Room()
        let content: StoreContent
        do {
            let database = try room.open()
            // The log of another store has another epoch.
            _ = try EventLog(database, now: 1, newEpoch: "fedcba9876543210")
            try database.write { try $0.note("theirs") }
            try database.commit()
            content = try StoreContent(database)
            try database.close()
        }
        var image = try StoreImage(of: room.path)
        image.files["-state"] = mine.files["-state"]
        let replaced = try image.room()
        let database = try replaced.open()
        let before = try #require(database.replaced)
        #expect(before.epoch == "0123456789abcdef" && before.head == 30)
        #expect(try StoreContent(database) == content)
        try database.close()
        #expect(try replaced.open().replaced == nil, "it is told once more")
    }

    /// A flipped bit in the epoch makes no other store.
    @Test func aDamagedEpochIsNoOtherStore() throws {
        let (image, content) = try closed()
        let main = try #require(image.files[""])
        let epoch = Array("0123456789abcdef".utf8)
        let place = try #require((0..<main.count - 16).first { Array(main[$0..<$0 + 16]) == epoch })
        for bit in place * 8..<(place + 16) * 8 {
            #expect(try open(image.flipping("", bit: bit), expecting: content, "bit \(bit)") == .named)
        }
    }

    /// A store that an earlier version of this program wrote has no sidecar, and gets one.
    @Test func scrubbingKeepsTheSidecarTrue() throws {
        let room = try Room()
        do {
            let database = try room.open()
            let writer = try Writer(database)
            for _ in 0..<40 { try writer.commit() }
            try database.write { try $0.run("DELETE FROM note WHERE id % 2 = 0") }
            try database.commit()
            try database.scrub()
            try writer.commit()
            try database.scrub()
        }
        let database = try room.open()
        #expect(try database.notes.count > 5)
    }

    /// Too large to be read at the opening: later changes are still recorded correctly, wherever the former
    /// version of a page is.
    @Test(arguments: [0, 1, 12]) func aLargeStoreIsRecordedRight(inLog: Int) throws {
        let (image, _) = try killed(inLog: inLog)
        let room = try image.room()
        let database = try Database(path: room.path, migrations: Room.notes, openingCheckBytesMax: 0)
        for round in 0..<30 {
            try database.write { database in
                try Settings(database).set("place \(round % 7)", "later \(round)")
                if round % 2 == 0 { try database.note(String(repeating: "later \(round)", count: 100)) }
            }
            try database.commit()
            if round % 10 == 7 { try database.checkpoint(.passive) }
            #expect(try database.snapshot().findings() == [], "after commit \(round)")
        }
        let killedAgain = try StoreImage(of: room.path)
        let later = try StoreContent(database)
        #expect(try open(killedAgain, expecting: later, "killed again") == .same)
        try database.close()
        let closed = try StoreImage(of: room.path)
        #expect(try open(closed, expecting: later, "closed") == .same)
        let bit = 8 * (4096 * 8 + 2000)
        #expect(try open(closed.flipping("", bit: bit), expecting: later, "damaged") == .named)
    }

    /// Checkpoints run automatically after a number of frames.
    @Test func theLogStaysShort() throws {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<400 { try writer.commit(textBytes: 3000) }
        #expect(try bytes(of: room.log).count < 4120 * 1300)
        #expect(database.recordingFailure == nil)
        let image = try StoreImage(of: room.path)
        #expect(try open(image, expecting: StoreContent(database), "after checkpoints") == .same)
    }
}

/// A generator whose runs can be repeated: SCREENTIME_TEST_SEED sets the seed.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64? = nil) {
        let given = getenv("SCREENTIME_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        self.seed = seed ?? given ?? UInt64.random(in: 0..<1_000_000)
        state = self.seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
