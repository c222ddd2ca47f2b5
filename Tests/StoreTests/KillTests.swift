import Glibc
import Store
import Testing

/// A process of its own writes and is killed at a moment it does not choose (a kernel timer sends SIGKILL).
/// Every commit is acknowledged by a byte in a file after it returned.
@Suite struct KillTests {
    @Test func nothingAcknowledgedIsLostAfterAKill() async throws {
        var generator = SystemRandomNumberGenerator()
        var acknowledgedAll = 0
        var rounds = 0
        // On a busy machine some kills come before the first commit; those show nothing and others follow.
        while rounds < 8 || (acknowledgedAll <= 20 && rounds < 80) {
            rounds += 1
            let room = try Room()
            let delay_us = Int.random(in: 2_000...40_000, using: &generator)
            try await #require(processExitsWith: .signal(SIGKILL)) {
                [path = room.path as String, delay_us = delay_us as Int] in
                try Self.writeUntilKilled(path, delay_us)
            }
            let acknowledged = try bytes(of: room.path + ".acknowledged").count
            acknowledgedAll += acknowledged
            try check(room, acknowledged, "killed after \(delay_us) us")
        }
        #expect(acknowledgedAll > 20, "the kills came before the first commits")
    }

    private func check(_ room: Room, _ acknowledged: Int, _ comment: Comment) throws {
        let database = try room.open()
        let log = try EventLog(database, now: 0)
        let commits = try database.notes.count / 3
        #expect(try database.notes.count == commits * 3, comment)
        #expect(commits == acknowledged || commits == acknowledged + 1, comment)
        #expect(try log.head() == Int64(commits * 3), comment)
        let sequences = try log.read(after: 0, limit: .max).map(\.sequence)
        #expect(sequences == (0..<Int64(commits * 3)).map { $0 + 1 }, comment)
        #expect(try Cursors(database).get("them")?.sequence ?? 0 == Int64(commits * 3), comment)
    }

    private static func writeUntilKilled(_ path: String, _ delay_us: Int) throws {
        let acknowledged = open(path + ".acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let database = try Database(path: path, migrations: Room.notes)
        let log = try EventLog(database, now: 1)
        let cursors = Cursors(database)
        try armKill(after_us: delay_us)
        for number in 1... {
            for part in 1...3 {
                try database.write {
                    try $0.note("\(number) \(part)")
                    let sequence = try log.append(type: "noted", time: 1) { _, _ in [] }
                    try cursors.set("them", Cursors.Cursor(epoch: "e", sequence: sequence))
                }
            }
            try database.commit()
            try #require(write(acknowledged, "+", 1) == 1)
        }
    }

    private static func armKill(after_us: Int) throws {
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_SIGNAL)
        event.sigev_signo = SIGKILL
        var timer: timer_t?
        try #require(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        var when = itimerspec()
        when.it_value = timespec(tv_sec: 0, tv_nsec: after_us * 1000)
        try #require(timer_settime(timer, 0, &when, nil) == 0)
    }
}
