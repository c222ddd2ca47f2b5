import FileAccess
import Foundation
import Glibc
import Testing

@testable import Bus
@testable import Loop

/// Resources are released before the code that waits for their user continues.
@Suite struct LettingGoTests {
    private final class Resource: Sendable {}

    /// A thread releases the resources of its work before it reports the result.
    @Test func workThatIsDoneHasNothing() {
        weak var resource: Resource?
        func work() -> OneTimeWork<Void> {
            let made = Resource()
            resource = made
            return OneTimeWork { withExtendedLifetime(made) {} }
        }
        let done = work()
        #expect(resource != nil)
        done.run()
        #expect(resource == nil)
        withExtendedLifetime(done) {}
    }

    /// A child between fork and exec has copies of all descriptors.
    @Test func aLockIsFreeAlsoWhenAChildHasACopyOfIt() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "stt-lock-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }  // left over at worst (try?)
        let path = directory + "/held"
        let copy = try Self.copyOfTheLock(path)
        defer { close(copy) }
        _ = try FileLock(path: path, holder: "another")
    }

    private static func copyOfTheLock(_ path: String) throws -> Int32 {
        let lock = try FileLock(path: path, holder: "one")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let held = try #require(
            descriptors.compactMap { Int32($0) }.first { descriptor in
                // Other tests close theirs at the same time (try?).
                (try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(descriptor)")) == path
            })
        let copy = dup(held)
        _ = consume lock
        return copy
    }
}
