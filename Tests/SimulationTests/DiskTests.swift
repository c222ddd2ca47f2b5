import SimulatedDisk
import Store
import Testing

/// The disk itself.
@Suite struct DiskTests {
    private static let content = [UInt8](repeating: 7, count: 2048)

    private func bytes(of path: String, on disk: SimulatedDisk) throws -> [UInt8]? {
        try disk.files(of: "reader").open(path, .reading)?.read(at: 0, count: 1 << 20)
    }

    /// What became of a file in many power cuts.
    private func outcomes(of path: String, on test: TestDisk) throws -> Set<[UInt8]?> {
        var found: Set<[UInt8]?> = []
        try test.afterPowerCut(seeds: 0..<200) { cut, _ in found.insert(try bytes(of: path, on: cut.disk)) }
        return found
    }

    @Test func aNameIsDurableWithItsDirectory() throws {
        let test = TestDisk()
        let files = test.disk.files(of: "a")
        let file = try files.create("d/x")
        try file.write(Self.content, at: 0)
        try file.sync()
        #expect(try outcomes(of: "d/x", on: test) == [nil, Self.content], "only the content was synced")
        try files.syncDirectory(of: "other/y")
        #expect(try outcomes(of: "d/x", on: test) == [nil, Self.content], "another directory was synced")
        try files.syncDirectory(of: "d/y")
        #expect(try outcomes(of: "d/x", on: test) == [Self.content])
        try files.rename("d/x", to: "d/z")
        #expect(try outcomes(of: "d/x", on: test) == [nil, Self.content])
        #expect(try outcomes(of: "d/z", on: test) == [nil, Self.content])
        try test.afterPowerCut(seeds: 0..<50) { cut, seed in
            let both = [try bytes(of: "d/x", on: cut.disk), try bytes(of: "d/z", on: cut.disk)]
            #expect(both.count { $0 != nil } == 1, "a rename is one step: \(seed)")
        }
    }

    @Test func unsyncedWritesAreLostBySectors() throws {
        let test = TestDisk()
        let files = test.disk.files(of: "a")
        let file = try files.create("x")
        try file.write(Self.content, at: 0)
        try file.sync()
        try files.syncDirectory(of: "x")
        for byte in UInt8(8)...9 { try file.write([UInt8](repeating: byte, count: 4096), at: 0) }
        let found = try outcomes(of: "x", on: test).compactMap(\.self)
        let firsts = Set(found.map { Array($0.prefix(2048)) })
        #expect(firsts.contains(Self.content), "nothing reached the disk")
        #expect(firsts.contains(.init(repeating: 8, count: 2048)), "the first of two writes did")
        #expect(firsts.contains(.init(repeating: 9, count: 2048)), "both did")
        #expect(firsts.contains { Set($0) == [7, 8, 9] }, "a part of each did")
        for first in firsts {
            for start in stride(from: 0, to: 2048, by: 512) {
                #expect(Set(first[start..<start + 512]).count == 1, "a sector is written completely")
            }
        }
        let counts = Set(found.map(\.count))
        #expect(counts.isSuperset(of: [2048, 4096]) && counts.allSatisfy { $0 % 512 == 0 }, "\(counts)")
        try file.sync()
        #expect(try outcomes(of: "x", on: test) == [[UInt8](repeating: 9, count: 4096)])
    }

    /// As on Linux: processes still read the data, but a second sync does not write it.
    @Test func aFailedSyncLosesData() throws {
        var found: Set<[UInt8]> = []
        for seed in UInt64(0)..<100 {
            let test = TestDisk(seed: seed)
            let files = test.disk.files(of: "a")
            let file = try files.create("x")
            try files.syncDirectory(of: "x")
            try file.write(Self.content, at: 0)
            test.disk.fault = { $0.kind == .sync ? .io : nil }
            #expect(throws: StoreError.self) { try file.sync() }
            test.disk.fault = nil
            #expect(try file.read(at: 0, count: 4096) == Self.content)
            try file.sync()
            var chance = Chance(seed: seed)
            test.disk.powerCut(using: &chance)
            found.insert(try bytes(of: "x", on: test.disk) ?? [1])
        }
        #expect(found.contains([]) && found.contains(Self.content) && found.count > 2, "\(found.count)")
    }

    @Test func faultsHappenToTheOperationTheyAreFor() throws {
        let test = TestDisk()
        let file = try test.disk.files(of: "a").create("x")
        test.disk.fault = { $0.kind == .write ? .shortWrite(bytes: 100) : .full }
        let short = try #require(throws: StoreError.self) { try file.write(Self.content, at: 0) }
        #expect(short.kind == .full)
        #expect(test.disk.content["x"]?.count == 100)
        var asked: [DiskOperation] = []
        test.disk.fault = { operation in
            asked.append(operation)
            return .io
        }
        let read = try #require(throws: StoreError.self) { _ = try file.read(at: 0, count: 9) }
        #expect(read.kind == .io)
        #expect(asked.map(\.kind) == [.read] && asked.map(\.bytes) == [9] && asked.map(\.owner) == ["a"])
        #expect(test.disk.counts[.write] == 1 && test.disk.counts[.read] == 1)
        var dead: [String] = []
        test.disk.died = { dead.append($0) }
        for (fault, count) in [(DiskFault.dieBefore, 100), (.dieAfter, 2048)] {
            test.disk.fault = nil
            let file = try #require(try test.disk.files(of: "a").open("x", .updating))
            test.disk.fault = { _ in fault }
            #expect(throws: StoreError.self) { try file.write(Self.content, at: 0) }
            #expect(test.disk.content["x"]?.count == count, "\(fault)")
        }
        #expect(dead == ["a", "a"])
    }

    @Test func aCopyIsTheSameDisk() throws {
        let test = TestDisk()
        let database = try test.open(committing: ["a", "b"])
        let copy = test.disk.copy()
        let digest = test.disk.digest
        #expect(copy.digest == digest)
        try database.commit(note: "c")
        #expect(test.disk.digest != digest && copy.digest == digest)
        let reopened = try Database(
            path: TestDisk.path, in: copy.files(of: "x"), migrations: Workload.migrations)
        #expect(try reopened.notes == ["a", "b"])
    }
}
