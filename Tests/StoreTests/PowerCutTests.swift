import DiskRecorder
import Glibc
import Store
import Testing

/// Everything that a store writes is recorded, and the disk is stopped at every place: after a power cut any
/// subset of the sectors that were not synced is there, after a kill all of them. The next start is always an
/// ordinary one, and keeps everything acknowledged.
@Suite(.serialized) struct PowerCutTests {
    private struct Recording {
        let path: String
        let before: [String: [UInt8]]
        let operations: [DiskOperation]
        /// Number of operations at each acknowledged number of notes.
        let acknowledged: [(operations: Int, notes: Int)]
    }

    /// Commits, checkpoints, scrubs and syncs in an order of chance.
    private func record(_ random: inout SeededGenerator, steps: Int) throws -> Recording {
        let room = try Room()
        var before: [String: [UInt8]] = [:]
        var acknowledged: [(operations: Int, notes: Int)] = [(0, 0)]
        try { try Writer(room.open()).commit() }()
        for (suffix, bytes) in try StoreImage(of: room.path).files { before[room.path + suffix] = bytes }
        disk_recorder_start(room.directory)
        defer { disk_recorder_stop() }
        for _ in 0..<2 {
            let database = try room.open()
            let writer = try Writer(database)
            acknowledged.append((disk_recorder_count(), try database.notes.count))
            for _ in 0..<steps {
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<2: try database.syncRecord()
                case 2..<4: try database.checkpoint(.passive)
                case 4: try database.checkpoint(.truncate)
                case 5:
                    try database.write { try $0.run("UPDATE note SET text = text || 'x' WHERE id % 3 = 0") }
                    try database.commit()
                    try database.scrub()
                default: try writer.commit(textBytes: Int.random(in: 10...3000, using: &random))
                }
                acknowledged.append((disk_recorder_count(), try database.notes.count))
            }
            if Bool.random(using: &random) { try database.close() }
        }
        let operations = DiskOperation.recorded()
        for suffix in ["", "-wal", "-state"] {
            #expect(operations.contains { $0.isWrite(to: room.path + suffix) }, "nothing recorded: \(suffix)")
        }
        return Recording(
            path: room.path, before: before, operations: operations, acknowledged: acknowledged)
    }

    private func start(_ files: [String: [UInt8]], _ recording: Recording, at index: Int, _ what: String)
        throws
    {
        var image = StoreImage(files: [:])
        for (path, bytes) in files { image.files[String(path.dropFirst(recording.path.count))] = bytes }
        let room = try image.room()
        let notes = recording.acknowledged.last { $0.operations <= index }?.notes ?? 0
        do throws(StoreError) {
            let database = try room.open()
            #expect(try database.notes.count >= notes, "\(what)")
            #expect(try database.query("PRAGMA integrity_check") { $0.text(0) } == ["ok"], "\(what)")
            #expect(database.recordingFailure == nil && database.replaced == nil, "\(what)")
            try database.close()
            #expect(try room.open().notes.count >= notes, "\(what), the start after")
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    @Test func aPowerCutAnywhereIsAnOrdinaryStart() throws {
        var random = SeededGenerator()
        let recording = try record(&random, steps: 15)
        var disk = DiskImage(recording.before)
        for (index, operation) in recording.operations.enumerated() {
            disk.apply(operation)
            for cut in 0..<2 {
                let files = disk.afterPowerCut(&random)
                let what =
                    "seed \(random.seed), cut \(cut) after operation \(index) of \(recording.operations.count)"
                try start(files, recording, at: index + 1, what)
            }
        }
    }

    @Test func aKillAnywhereIsAnOrdinaryStart() throws {
        var random = SeededGenerator()
        let recording = try record(&random, steps: 15)
        var disk = DiskImage(recording.before)
        for (index, operation) in recording.operations.enumerated() {
            disk.apply(operation)
            let what = "seed \(random.seed), killed after operation \(index) of \(recording.operations.count)"
            try start(disk.afterKill(), recording, at: index + 1, what)
        }
    }

    /// The table takes no text twice, and each start has a writer of its own.
    @Test func aSecondWriterRepeatsNoNote() throws {
        let room = try Room()
        for _ in 0..<3 {
            let database = try room.open()
            let writer = try Writer(database)
            for _ in 0..<9 { try writer.commit() }
        }
        #expect(try room.open().notes.count >= 20)
    }

    /// If the sidecar cannot be written, commits continue, the failure is visible, and no page is moved that
    /// it does not cover.
    @Test(arguments: [ENOSPC, EIO]) func aSidecarThatCannotBeWrittenStopsCheckpointsOnly(code: Int32) throws {
        let room = try Room()
        let content: StoreContent
        let image: StoreImage
        do {
            let database = try room.open()
            let writer = try Writer(database)
            try writer.commit()
            disk_recorder_start(room.directory)
            disk_recorder_fail("-state", code)
            defer {
                disk_recorder_fail("", 0)
                disk_recorder_stop()
            }
            for _ in 0..<3 { try writer.commit() }
            let failure = try #require(database.recordingFailure)
            #expect(failure.kind == (code == ENOSPC ? .full : .io), "\(failure)")
            #expect(throws: StoreError.self) { try database.checkpoint(.truncate) }
            image = try StoreImage(of: room.path)
            disk_recorder_fail("", 0)
            content = try StoreContent(database)
            try writer.commit()
            #expect(database.recordingFailure == nil)
            #expect(try database.checkpoint(.truncate))
        }
        #expect(try StoreContent(image.room().open()) == content, "killed while it could not be written")
    }
}
