import Contract
import FileAccess
import Foundation
import Glibc
import Loop
import ServiceKit
import Testing

@testable import Hosting

/// Whatever a program leaves in its container goes with it.
@Suite struct RemovalTests {
    private let place: Place
    private let files: HostFiles
    private let id = "org.example.left.monitor"

    init() throws {
        place = try Place()
        files = try HostFiles(place.configuration, host: .monitor)
    }

    private func expectNothingLeft() throws {
        try files.remove(id)
        #expect(access(place.directory + "/state/containers/" + id, F_OK) != 0)
        #expect(try files.sweep())
        let removed = try FileManager.default.contentsOfDirectory(
            atPath: place.directory + "/state/containers/.removed")
        #expect(removed.isEmpty)
        #expect(place.canary().count == 310)
        place.remove()
    }

    @Test func namesThatAreNotUTF8() throws {
        let path = try files.container(id).path
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") && byte != UInt8(ascii: ".") {
            let name = Array(path.utf8) + [UInt8(ascii: "/"), byte, 0xff, 0xfe]
            let bytes = name.map { CChar(bitPattern: $0) } + [0]
            if byte % 2 == 0 {
                #expect(mkdir(bytes, 0o700) == 0)
                close(open(bytes.dropLast() + Array("/in".utf8CString), O_WRONLY | O_CREAT, 0o600))
            } else {
                let file = open(bytes, O_WRONLY | O_CREAT, 0o600)
                #expect(file >= 0)
                close(file)
            }
        }
        try expectNothingLeft()
    }

    /// 1,000 directories within each other, with names of 200 bytes: 200,000 bytes of a path.
    @Test func pathsBeyondPathMax() throws {
        var directory = open(try files.container(id).path, O_RDONLY | O_DIRECTORY)
        let name = String(repeating: "d", count: 200)
        for _ in 0..<1_000 {
            #expect(mkdirat(directory, name, 0o700) == 0)
            close(openat(directory, "file", O_WRONLY | O_CREAT, 0o600))
            let next = openat(directory, name, O_RDONLY | O_DIRECTORY)
            close(directory)
            directory = next
        }
        #expect(directory >= 0)
        close(directory)
        try expectNothingLeft()
    }

    @Test func directoriesWithoutPermissions() throws {
        let path = try files.container(id).path
        for mode in [0o000, 0o100, 0o200, 0o300, 0o400, 0o500] as [mode_t] {
            let folder = "\(path)/\(mode)"
            #expect(mkdir(folder, 0o700) == 0 && mkdir(folder + "/inner", 0o700) == 0)
            close(open(folder + "/inner/file", O_WRONLY | O_CREAT, 0o000))
            #expect(chmod(folder + "/inner", mode) == 0 && chmod(folder, mode) == 0)
        }
        chmod(path, 0o000)
        try expectNothingLeft()
    }

    @Test func linksFIFOsAndSockets() throws {
        let path = try files.container(id).path
        #expect(symlink(place.canaryPath, path + "/link") == 0)
        #expect(symlink("/", path + "/top") == 0 && symlink("link", path + "/loop") == 0)
        #expect(mkfifo(path + "/fifo", 0o600) == 0)
        #expect(link(path + "/fifo", path + "/other") == 0)
        try expectNothingLeft()
    }

    /// A container that is itself a link, as after a meddling person: the link goes, and nothing else.
    @Test func aContainerThatIsALink() throws {
        let path = try files.container(id).path
        #expect(rmdir(path) == 0 && symlink(place.canaryPath, path) == 0)
        #expect(throws: (any Error).self) { try files.container(id) }
        try expectNothingLeft()
    }

    /// What a process has is not deleted until it has gone.
    @Test func whatIsInUseStaysUntilItIsLetGo() throws {
        var container: OpenDirectory? = try files.container(id)
        #expect(try container?.directory.lock(.shared) == true)
        try files.remove(id)
        #expect(try !files.sweep())
        container = nil
        try expectNothingLeft()
    }

    /// A child between fork and exec has copies of all descriptors, and has nothing in use.
    @Test func whatIsLetGoIsFreeAlsoWhenAChildHasACopy() throws {
        var container: OpenDirectory? = try files.container(id)
        #expect(try container?.directory.lock(.shared) == true)
        let copy = dup(container?.directory.descriptor ?? -1)
        try #require(copy >= 0)
        defer { close(copy) }
        container = nil
        try expectNothingLeft()
    }

    /// A journal that is something else is replaced, and nothing is written elsewhere.
    @Test(arguments: ["link", "directory", "fifo"])
    func aJournalIsAPlainFile(kind: String) throws {
        let path = place.directory + "/state/monitor-runner/returned/" + id
        let target = place.canaryPath + "/d0/0"
        switch kind {
        case "link": #expect(symlink(target, path) == 0)
        case "directory": #expect(mkdir(path, 0o700) == 0 && mkdir(path + "/x", 0o700) == 0)
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        #expect(!files.hasReturned(id, delivery: 1, attempt: 1))
        let journal = try files.journal(id)
        #expect(write(journal, "noted", 5) == 5)
        close(journal)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
        try expectNothingLeft()
    }

    /// The container of a process was removed while it ran, and is over its limit: its temporary directory is
    /// removed anyway.
    @Test func aProcessOfARemovedExtensionLeavesNothing() async throws {
        let program = ExtensionRecord(id: id, client: "org.example.left", point: .monitor)
        try await endRemoved(program)
        let temporaries = place.directory + "/state/temporary/monitor-runner"
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporaries).isEmpty)
        try expectNothingLeft()
    }

    @LoopActor private func endRemoved(_ program: ExtensionRecord) async throws {
        let process = try ProcessFiles(program, .serving, files, number: 1, isInMemory: false)
        for number in 0...HostingLimits.namesMax {
            close(open("\(process.home)/\(number)", O_WRONLY | O_CREAT, 0o600))
        }
        try files.remove(program.id)
        try await process.end()
    }

    /// Only entries newer than the instant are removed; older ones stay.
    @Test func takingBackLeavesWhatWasThere() throws {
        let path = try files.container(id).path
        try FileManager.default.createDirectory(
            atPath: path + "/old/empty", withIntermediateDirectories: true)
        try "old".write(toFile: path + "/old/file", atomically: false, encoding: .utf8)
        let since = try Self.later(than: path + "/old")
        try "new".write(toFile: path + "/old/new", atomically: false, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: path + "/new/deep", withIntermediateDirectories: true)
        var deep = path + "/deep"
        for _ in 0..<(HostingLimits.treeDepthMax + 5) {
            mkdir(deep, 0o700)
            deep += "/d"
        }
        symlink(place.canaryPath, path + "/link")
        try files.revertWrites(try files.container(id), since: since)
        let left = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        #expect(left.sorted() == ["old", "old/empty", "old/file"])
        try expectNothingLeft()
    }

    /// An instant of the file system after everything in a directory: its clock is coarse.
    private static func later(than path: String) throws -> timespec {
        var first = stat()
        stat(path + "/file", &first)
        let probe = path + "-probe"
        while true {
            close(open(probe, O_WRONLY | O_CREAT | O_EXCL, 0o600))
            var status = stat()
            stat(probe, &status)
            unlink(probe)
            let (now, then) = (status.st_ctim, first.st_ctim)
            if (now.tv_sec, now.tv_nsec) > (then.tv_sec, then.tv_nsec) { return now }
        }
    }
}
