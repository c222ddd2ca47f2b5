import Store
import Testing

@Suite struct EventLogTests {
    private func append(_ log: EventLog, _ database: Database, _ types: String...) throws {
        for type in types {
            try database.write { _ in
                _ = try log.append(type: type, time: 5) { Array("\(type) \($0) \($1)".utf8) }
            }
        }
        try database.commit()
    }

    private func bodies(_ events: [StoredEvent]) -> [String] {
        events.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func bodiesKnowTheirSequenceAndTheOneBeforeOfTheirType() throws {
        let room = try Room()
        do {
            let database = try room.open()
            let log = try EventLog(database, now: 77)
            try append(log, database, "a", "b", "a")
        }
        let database = try room.open()
        let log = try EventLog(database, now: 88)
        #expect(log.created == 77)
        try append(log, database, "b", "c")
        #expect(try bodies(log.read(after: 0, limit: 9)) == ["a 1 0", "b 2 0", "a 3 1", "b 4 2", "c 5 0"])
        #expect(
            try log.read(after: 4, limit: 9) == [
                StoredEvent(sequence: 5, type: "c", time: 5, body: Array("c 5 0".utf8))
            ])
        #expect(try log.head() == 5)
    }

    @Test func epochIsRandomAndStays() throws {
        let room = try Room()
        let epoch = try EventLog(room.open(), now: 1).epoch
        #expect(epoch.count == 16 && epoch.allSatisfy(\.isHexDigit))
        #expect(try EventLog(room.open(), now: 2, newEpoch: "other").epoch == epoch)
        #expect(try EventLog(Room().open(), now: 1).epoch != epoch)
        #expect(try EventLog(Room().open(), now: 1, newEpoch: "chosen").epoch == "chosen")
    }

    @Test(arguments: [0, 1]) func sequencesAreNeverUsedAgain(kept: Int) throws {
        let room = try Room()
        do {
            let database = try room.open()
            let log = try EventLog(database, now: 1)
            try append(log, database, "a", "b", "b")
            #expect(try log.first() == 1)
            #expect(try database.write { _ in try log.trim(keepingLast: kept) } == Int64(3 - kept))
            try database.commit()
            #expect(try log.head() == 3)
        }
        let database = try room.open()
        let log = try EventLog(database, now: 1)
        #expect(try log.head() == 3)
        #expect(try log.first() == Int64(4 - kept))
        #expect(try log.previous(of: "a") == 1)
        try append(log, database, "a")
        #expect(try bodies(log.read(after: 3, limit: 9)) == ["a 4 1"])
        #expect(try database.write { _ in try log.trim(keepingLast: 99) } == 0)
        #expect(try log.first() == Int64(4 - kept))
        try database.commit()
    }

    @Test func anUndoneEventLeavesNoGap() throws {
        struct Refused: Error {}
        let database = try Room().open()
        let log = try EventLog(database, now: 1)
        try append(log, database, "a")
        #expect(throws: Refused.self) {
            try database.write { _ in
                _ = try log.append(type: "a", time: 1) { _, _ in [] }
                throw Refused()
            }
        }
        try database.write { _ in _ = try log.append(type: "b", time: 1) { _, _ in [] } }
        try database.rollback()
        try append(log, database, "a")
        #expect(try bodies(log.read(after: 0, limit: 9)) == ["a 1 0", "a 2 1"])
        #expect(try log.previous(of: "b") == 0)
    }

    @Test func pagesSayHowFarTheyReach() throws {
        let database = try Room().open()
        let log = try EventLog(database, now: 1)
        #expect(try log.page(after: 0, limit: 5) == EventPage(events: [], through: 0, head: 0, first: 1))
        try append(log, database, "a", "b", "a", "b", "b")
        let all = try log.page(after: 0, types: ["a"], limit: 5)
        #expect(all.events.map(\.sequence) == [1, 3])
        #expect((all.through, all.head, all.first) == (5, 5, 1))
        let one = try log.page(after: 0, types: ["a"], limit: 1)
        #expect(one.events.map(\.sequence) == [1])
        #expect(one.through == 1)
        let exact = try log.page(after: 0, types: ["a", "nothing"], limit: 2)
        #expect(exact.events.map(\.sequence) == [1, 3])
        #expect(exact.through == 5)
        #expect(try log.page(after: 3, types: ["a"], limit: 5).through == 5)
        #expect(try log.page(after: 9, limit: 5) == EventPage(events: [], through: 9, head: 5, first: 1))
        let error = #expect(throws: StoreError.self) { try log.read(after: 0, limit: 0) }
        #expect(error?.kind == .misuse)
    }

    @Test func bytesAreLimitedButOneEventAlwaysComes() throws {
        let database = try Room().open()
        let log = try EventLog(database, now: 1)
        for _ in 1...4 {
            try database.write { _ in _ = try log.append(type: "a", time: 1) { _, _ in [1, 2, 3] } }
        }
        for (bytesMax, count) in [(0, 1), (3, 1), (5, 1), (6, 2), (11, 3), (12, 4)] {
            #expect(try log.read(after: 0, limit: 9, bytesMax: bytesMax).count == count, "\(bytesMax)")
        }
        #expect(try log.page(after: 0, limit: 9, bytesMax: 6).through == 2)
        try database.commit()
    }

    @Test func appendingOutsideOfAWriteIsMisuse() throws {
        let database = try Room().open()
        let log = try EventLog(database, now: 1)
        let error = #expect(throws: StoreError.self) { try log.append(type: "a", time: 1) { _, _ in [] } }
        #expect(error?.kind == .misuse)
        let other = try Room().open()
        try other.write { try $0.note("a") }
        #expect(throws: StoreError.self) { try EventLog(other, now: 1) }
    }

    /// "Forgotten, to the last byte": not in the file, and not in the log beside it.
    @Test func erasedDataLeavesTheDisk() throws {
        let room = try Room()
        let database = try room.open()
        let log = try EventLog(database, now: 1)
        let secret = Array("the secret of the diary".utf8)
        let long = Array(repeating: secret, count: 900).flatMap(\.self)
        for body in [secret, long, [1]] {
            try database.write { _ in _ = try log.append(type: "a", time: 1) { _, _ in body } }
        }
        try database.commit()
        #expect(try contains(room, secret))
        let erased = try database.write { _ in
            try [1, 2, 4].map { try log.eraseData(sequence: $0, body: [0]) }
        }
        #expect(erased == [true, true, false])
        let early = #expect(throws: StoreError.self) { try database.scrub() }
        #expect(early?.kind == .misuse)
        try database.commit()
        try database.scrub()
        #expect(try !contains(room, secret))
        #expect(try log.read(after: 0, limit: 9).map(\.body) == [[0], [0], [1]])
        try append(log, database, "a")
        #expect(try bodies(log.read(after: 3, limit: 1)) == ["a 4 3"])
    }

    private func contains(_ room: Room, _ secret: [UInt8]) throws -> Bool {
        for path in [room.path, room.log] {
            let content = try bytes(of: path)
            for start in content.indices
            where content[start] == secret[0] && content[start...].starts(with: secret) { return true }
        }
        return false
    }
}
