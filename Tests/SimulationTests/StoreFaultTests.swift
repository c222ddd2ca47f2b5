import SimulatedDisk
import Store
import Testing

/// Faults of the store that the workload found, each by itself.
@Suite struct StoreFaultTests {
    /// A store whose last commit is in the log, but not in the sidecar: the process died between them.
    private func killedBeforeRecording() throws -> TestDisk {
        let test = TestDisk()
        let database = try test.open(committing: ["a"])
        test.disk.fault = { $0.kind == .write && $0.path.contains("-state") ? .dieBefore : nil }
        try database.commit(note: "b")
        #expect(database.recordingFailure != nil)
        test.disk.fault = nil
        return test
    }

    /// An opening that fails must not move the pages of a commit that the sidecar does not have.
    @Test func aFailedOpeningLeavesAnUnrecordedCommit() throws {
        let test = try killedBeforeRecording()
        let bad = Workload.migrations + [Migration(version: 2, name: "bad", sql: "SELECT * FROM nowhere")]
        #expect(throws: StoreError.self) { _ = try test.open("service", bad) }
        #expect(try test.open().notes == ["a", "b"])
    }

    /// What a start reads is durable, also if the process before was killed before it had synced it.
    @Test func whatAStartReadsIsDurable() throws {
        let test = TestDisk()
        var database: Database? = try test.open(committing: ["a"])
        test.disk.fault = { $0.kind == .sync && $0.path.hasSuffix("-wal") ? .dieBefore : nil }
        #expect(throws: StoreError.self) { try database?.commit(note: "b") }
        test.disk.fault = nil
        database = try test.open()
        #expect(try database?.notes == ["a", "b"])
        try test.afterPowerCut(seeds: 0..<50) { cut, seed in
            let notes = try cut.open().notes
            #expect(notes == ["a", "b"], "\(seed)")
        }
    }

    /// A failed sync of the log leaves a commit that only the system's memory has, and no later sync writes
    /// it. The next start must not add to it before it is durable.
    @Test func aFailedSyncOfTheLogIsMadeUpForAtTheNextStart() throws {
        for seed in UInt64(0)..<30 {
            let test = TestDisk(seed: seed)
            var database: Database? = try test.open(committing: ["a"])
            test.disk.fault = { $0.kind == .sync && $0.path.hasSuffix("-wal") ? .io : nil }
            #expect(throws: StoreError.self) { try database?.commit(note: "b") }
            test.disk.processDied("service")
            test.disk.fault = nil
            database = try test.open()
            #expect(try database?.notes == ["a", "b"])
            try database?.commit(note: "c")
            try test.afterPowerCut(seeds: 0..<5) { cut, cutSeed in
                let notes = try cut.open().notes
                #expect(notes == ["a", "b", "c"], "seed \(seed), cut \(cutSeed)")
            }
        }
    }

    /// The same while the store is created, when it has no sidecar yet.
    @Test func aFailedSyncDuringTheCreationIsMadeUpForAtTheNextStart() throws {
        for seed in UInt64(0)..<60 {
            let test = TestDisk(seed: seed)
            var syncs = 0
            test.disk.fault = { operation in
                // The first sync is that of the log's header, the second that of the first commit.
                if syncs == 2 { return .dieBefore }
                guard operation.kind == .sync, operation.path.hasSuffix("-wal") else { return nil }
                syncs += 1
                return syncs == 2 ? .io : nil
            }
            #expect(throws: StoreError.self) { _ = try test.open() }
            var chance = Chance(seed: seed)
            test.disk.fault = { operation in
                // The checkpoint at the end of the creation.
                if operation.kind == .write, operation.path == TestDisk.path {
                    test.disk.powerCut(using: &chance)
                }
                return nil
            }
            #expect(throws: StoreError.self) { _ = try test.open() }
            test.disk.fault = nil
            do { _ = try test.open(committing: ["a"]) } catch { Issue.record("seed \(seed): \(error)") }
        }
    }

    /// SQLite ignores that the sync of the log's directory failed.
    @Test func theNameOfTheLogIsDurable() throws {
        let test = TestDisk()
        try test.open(committing: ["a"]).close()
        var failures = 0
        test.disk.fault = { operation in
            guard operation.kind == .syncDirectory, failures == 0 else { return nil }
            failures += 1
            return .io
        }
        let database: Database
        do { database = try test.open() } catch { database = try test.open() }
        try database.commit(note: "b")
        #expect(failures == 1)
        try test.afterPowerCut(seeds: 0..<50) { cut, seed in
            let notes = try cut.open().notes
            #expect(notes == ["a", "b"], "\(seed)")
        }
    }

    /// After a failed sync of the sidecar the next one must not be believed: it writes nothing.
    @Test func aFailedSyncOfTheSidecarIsMadeUpFor() throws {
        for seed in UInt64(0)..<30 {
            let test = TestDisk(seed: seed)
            let database = try test.open(committing: ["a"])
            test.disk.fault = { $0.kind == .sync && $0.path.contains("-state") ? .io : nil }
            #expect(throws: StoreError.self) { try database.checkpoint(.passive) }
            test.disk.fault = nil
            #expect(try database.checkpoint(.passive))
            try test.afterPowerCut(seeds: 0..<5) { cut, cutSeed in
                let notes = try cut.open().notes
                #expect(notes == ["a"], "seed \(seed), cut \(cutSeed)")
            }
        }
    }

    /// The same at the start after a kill.
    @Test func aFailedSyncOfTheSidecarAtAStartIsMadeUpFor() throws {
        for seed in UInt64(0)..<30 {
            let test = TestDisk(seed: seed)
            var database: Database? = try test.open(committing: ["a"])
            try database?.syncRecord()
            try database?.commit(note: "b")
            test.disk.processDied("service")
            test.disk.fault = { $0.kind == .sync && $0.path.contains("-state") ? .io : nil }
            #expect(throws: StoreError.self) { _ = try test.open() }
            test.disk.fault = nil
            database = try test.open()
            #expect(try database?.checkpoint(.passive) == true)
            try test.afterPowerCut(seeds: 0..<5) { cut, cutSeed in
                let notes = try cut.open().notes
                #expect(notes == ["a", "b"], "seed \(seed), cut \(cutSeed)")
            }
        }
    }

    /// A power cut while SQLite writes the first page of a new store leaves a torn page and its journal.
    @Test func aPowerCutDuringTheCreationIsAnOrdinaryStart() throws {
        for seed in UInt64(0)..<60 {
            let test = TestDisk(seed: seed)
            var chance = Chance(seed: seed)
            test.disk.fault = { operation in
                if operation.kind == .sync, operation.path == TestDisk.path {
                    test.disk.powerCut(using: &chance)
                }
                return nil
            }
            #expect(throws: StoreError.self) { _ = try test.open() }
            test.disk.fault = nil
            do { _ = try test.open(committing: ["a"]) } catch { Issue.record("seed \(seed): \(error)") }
        }
    }

    /// A read that fails is no damage, although SQLite reports it as SQLITE_CORRUPT: nothing must be
    /// restored, and afterwards everything is there. Each read, opening and examination of a file fails once.
    @Test(arguments: [true, false]) func aFailedReadIsNotDamage(isInLog: Bool) throws {
        let texts = (0..<100).map { "note \($0)" }
        let test = TestDisk()
        var database: Database? = try test.open(committing: texts)
        if isInLog { test.disk.processDied("service") }
        database = nil
        var failures = 0
        for number in 0... {
            var count = 0
            test.disk.fault = { operation in
                guard [.read, .open, .examine].contains(operation.kind) else { return nil }
                count += 1
                return count == number + 1 ? .io : nil
            }
            do throws(StoreError) {
                database = try test.open()
                #expect(try database?.notes == texts, "failure \(number)")
            } catch {
                failures += 1
                #expect(error.kind == .io, "failure \(number): \(error)")
                #expect(!error.message.contains("malformed"), "failure \(number): \(error)")
            }
            test.disk.fault = nil
            let isDone = count <= number
            test.disk.processDied("service")
            database = nil
            if isDone { break }
        }
        #expect(failures > 10)
        #expect(try test.open().notes == texts)
    }

    enum Check: CaseIterable { case ofAStoreWithoutSidecar, ofTheRunningStore, ofACopy }

    /// SQLite's check of all pages lists one that it could not read among what is wrong with them. Each read
    /// fails once.
    @Test(arguments: Check.allCases) func aPageThatCannotBeCheckedIsNotDamage(check: Check) throws {
        let texts = (0..<200).map { "note \($0) " + String(repeating: "x", count: 400) }
        let test = TestDisk()
        let files = test.disk.files(of: "person")
        var database: Database? = try test.open(committing: texts)
        let snapshot = try database?.snapshot()
        _ = try snapshot?.copy(to: "copy")
        snapshot?.close()
        var checked = 0
        for number in 0... {
            if check == .ofAStoreWithoutSidecar {
                try database?.close()
                database = nil
                try files.remove(TestDisk.path + "-state")
            }
            var count = 0
            test.disk.fault = { operation in
                guard operation.kind == .read else { return nil }
                count += 1
                return count == number + 1 ? .io : nil
            }
            do throws(StoreError) {
                var findings: [String] = []
                switch check {
                case .ofAStoreWithoutSidecar: database = try test.open()
                case .ofTheRunningStore:
                    let snapshot = try database?.snapshot()
                    defer { snapshot?.close() }
                    findings = try snapshot?.findings() ?? []
                case .ofACopy: findings = try StoredCopy(path: "copy", in: files).findings
                }
                #expect(findings.isEmpty, "failure \(number)")
            } catch {
                #expect(error.kind == .io, "failure \(number): \(error)")
                if error.sql?.contains("integrity_check") == true { checked += 1 }
                if database == nil { test.disk.processDied("service") }
            }
            test.disk.fault = nil
            if count <= number { break }
        }
        #expect(checked > 10)
        database = nil
        test.disk.processDied("service")
        #expect(try test.open().notes == texts)
    }
}
