import Units
import Contract
import ExtensionLink
import Glibc
import Testing

@testable import Hosting

/// How a process ended, in words, whether bubblewrap was around it or not.
@Suite struct ProcessEndTests {
    @Test func bubblewrapTellsSignalsAsCodes() {
        let plain = ProcessEnd(status: SIGABRT, isInBubblewrap: false, closedItself: false)
        let wrapped = ProcessEnd(status: (128 + SIGABRT) << 8, isInBubblewrap: true, closedItself: false)
        #expect(plain == wrapped && plain.reason.hasPrefix("it was ended by signal 6: "))
        #expect(
            ProcessEnd(status: 134 << 8, isInBubblewrap: false, closedItself: false).reason
                == "it ended with code 134")
        let file = ProcessEnd(status: (128 + SIGXFSZ) << 8, isInBubblewrap: true, closedItself: false)
        #expect(file.isForFileSize && file.reason.contains("fileBytesMax"))
        let closed = ProcessEnd(status: SIGKILL, isInBubblewrap: true, closedItself: true)
        #expect(closed.reason == "it closed its connection")
        #expect(closed.because("it was told to").reason == "it was told to")
    }

    /// An attempt counts against a program only when the program failed.
    @Test func whatTheHostOrAServiceCouldNotDoIsNoFailureOfTheProgram() {
        func end(_ code: Int32) -> ProcessEnd {
            ProcessEnd(status: code << 8, isInBubblewrap: true, closedItself: false)
        }
        #expect(end(Wire.journalExitCode).fault == .journal)
        #expect(end(127).isOfLoader && end(127).fault == .program && !end(1).isOfLoader)
        let error = ServiceError(.conflict, "a", remedy: "b")
        func isOfProgram(_ kind: HostedFailure.Kind, missedService: Bool = false) -> Bool {
            HostedFailure(kind: kind, error: error, missedService: missedService).isOfProgram
        }
        for kind in [HostedFailure.Kind.refused, .ended, .overBudget, .late] {
            #expect(isOfProgram(kind) && !isOfProgram(kind, missedService: true))
        }
        #expect(!isOfProgram(.notStarted) && !isOfProgram(.unnoted))
        let ofServices = ErrorName.allCases.filter { ServiceError($0, "a", remedy: "b").isOfService }
        #expect(
            Set(ofServices) == [
                .unavailable, .deadlineExceeded, .shuttingDown, .storageFull, .storageFailed, .storageDamaged,
            ])
    }

    @Test func aLookFindsWhatIsOverTheBudget() {
        let budget = ExtensionBudget(memoryBytes: 10, callback: 1, processor: 5)
        func excess(_ processor: Milliseconds, _ memory: Int64) -> ExtensionOverBudget.What? {
            BudgetWatch.Look(processor: processor, memoryBytes: memory).excess(budget)?.what
        }
        #expect(excess(5, 10) == nil && excess(6, 10) == .processor && excess(6, 11) == .memory)
    }

    @Test func tooManyThreadsAreOverTheBudgetWhateverTheyTake() {
        let budget = ExtensionBudget(memoryBytes: 10, callback: 1, processor: 5)
        func excess(_ threads: Int64) -> Excess? {
            BudgetWatch.Look(processor: 1, memoryBytes: 11, threads: threads).excess(budget)
        }
        #expect(excess(HostingLimits.threadsMax)?.what == .memory)
        #expect(excess(HostingLimits.threadsMax + 1)?.what == .threads)
    }

    /// File pages are not private memory: they neither count nor hide what is.
    @Test func pagesOfFilesNeitherCountNorHide() throws {
        var watch = try #require(BudgetWatch(getpid()))
        func ownBytes() throws -> Int64 {
            let look = watch.look()
            return try #require(look).memoryBytes
        }
        let before = try ownBytes()
        let path = try #require(realPath("/proc/self/exe"))
        let length = Int(Self.bytes(path))
        try #require(length > 32 << 20)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        // MAP_POPULATE: all its pages are there at once.
        let pages = try #require(mmap(nil, length, PROT_READ, MAP_PRIVATE | 0x8000, file, 0))
        munmap(pages, length)
        #expect(try ownBytes() - before < 16 << 20)
        // Not of the heap, which may have room that counted before. MAP_PRIVATE and MAP_ANONYMOUS.
        let ownLength = 32 << 20
        let own = try #require(mmap(nil, ownLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20, -1, 0))
        defer { munmap(own, ownLength) }
        memset(own, 1, ownLength)
        let again = try #require(mmap(nil, length, PROT_READ, MAP_PRIVATE | 0x8000, file, 0))
        defer { munmap(again, length) }
        #expect(try ownBytes() - before > 24 << 20)
    }

    private static func bytes(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// A process's own figures: what it takes after the watch began is seen.
    @Test func aWatchSeesMemoryAndProcessor() throws {
        var watch = try #require(BudgetWatch(getpid()))
        let first = watch.look()
        let before = try #require(first)
        let memory = [UInt8](repeating: 1, count: 64 << 20)
        let second = watch.look()
        let after = try #require(second)
        #expect(after.memoryBytes - before.memoryBytes > 32 << 20)
        #expect(memory.last == 1 && after.processor >= before.processor)
        #expect(BudgetWatch(0x7fff_fff0) == nil)
    }
}
