import Store
import Testing
import Units

@Suite struct RecordsTests {
    @Test func cursorsMoveWithTheirWrite() throws {
        struct Refused: Error {}
        let room = try Room()
        do {
            let database = try room.open()
            let cursors = Cursors(database)
            #expect(try cursors.get("auth") == nil)
            try database.write { _ in try cursors.set("auth", Cursors.Cursor(epoch: "e", sequence: 4)) }
            #expect(throws: Refused.self) {
                try database.write { _ in
                    try cursors.set("auth", Cursors.Cursor(epoch: "e", sequence: 5))
                    throw Refused()
                }
            }
            try database.write { _ in try cursors.set("shield", Cursors.Cursor(epoch: "f", sequence: 1)) }
            try database.commit()
            #expect(throws: StoreError.self) {
                try cursors.set("auth", Cursors.Cursor(epoch: "e", sequence: 9))
            }
        }
        let cursors = Cursors(try room.open())
        #expect(try cursors.get("auth") == Cursors.Cursor(epoch: "e", sequence: 4))
        #expect(try cursors.all().map(\.source) == ["auth", "shield"])
    }

    private let request = Answers.Request(key: "k", caller: "1000", method: "settings.write", hash: [1, 2])

    @Test func aRepeatGetsTheSameAnswer() throws {
        let database = try Room().open()
        let answers = Answers(database)
        #expect(try answers.find(request) == .none)
        try database.write { _ in try answers.keep(request, answer: [9], at: 100) }
        try database.commit()
        #expect(try answers.find(request) == .answer([9]))
    }

    @Test func aKeyIsKeptWithoutItsAnswer() throws {
        let database = try Room().open()
        let answers = Answers(database)
        for at in [100, 200] as [Instant] {
            try database.write { _ in try answers.keepKey(request, at: at) }
        }
        try database.commit()
        #expect(try answers.find(request) == .known)
        let method = Answers.Request(key: "k", caller: "1000", method: "settings.clear", hash: [1, 2])
        let parameters = Answers.Request(key: "k", caller: "1000", method: "settings.write", hash: [1, 3])
        #expect(try answers.find(method) == .otherMethod("settings.write"))
        #expect(try answers.find(parameters) == .otherParameters)
    }

    @Test func aKeyForSomethingElseIsNamed() throws {
        let database = try Room().open()
        let answers = Answers(database)
        try database.write { _ in try answers.keep(request, answer: [9], at: 100) }
        let method = Answers.Request(key: "k", caller: "1000", method: "settings.clear", hash: [1, 2])
        let parameters = Answers.Request(key: "k", caller: "1000", method: "settings.write", hash: [1, 3])
        let caller = Answers.Request(key: "k", caller: "1001", method: "settings.write", hash: [1, 2])
        #expect(try answers.find(method) == .otherMethod("settings.write"))
        #expect(try answers.find(parameters) == .otherParameters)
        #expect(try answers.find(caller) == .none)
        let error = #expect(throws: StoreError.self) {
            try database.write { _ in try answers.keep(parameters, answer: [8], at: 100) }
        }
        #expect(error?.kind == .constraint)
        try database.commit()
        #expect(try answers.find(request) == .answer([9]))
    }

    @Test func oldAnswersAreForgotten() throws {
        let database = try Room().open()
        let answers = Answers(database)
        try database.write { _ in try answers.keep(request, answer: [9], at: 100) }
        try database.write { _ in try answers.expire(before: 100) }
        #expect(try answers.find(request) == .answer([9]))
        try database.write { _ in try answers.expire(before: 101) }
        #expect(try answers.find(request) == .none)
        try database.commit()
    }

    @Test func settingsAreKeptAndRemoved() throws {
        let database = try Room().open()
        let settings = Settings(database)
        #expect(try settings.get("zone") == nil)
        try database.write { _ in try settings.set("zone", "Europe/Berlin") }
        try database.write { _ in try settings.set("zone", "") }
        #expect(try settings.get("zone") == "")
        try database.write { _ in try settings.set("zone", nil) }
        #expect(try settings.get("zone") == nil)
        try database.commit()
    }
}
