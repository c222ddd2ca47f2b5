import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Subscribers that do not read: their unread events are limited in bytes, and subscribers that read lose
/// nothing.
@Suite(.serialized) @LoopActor struct UnreadEventsTests {
    /// A subscriber that takes nothing out of its queue of one.
    @LoopActor final class Deaf {
        private let socket: Socket

        init(_ owner: Owner) throws {
            socket = try Socket(.subscriber, queuedMax: 1)
            try socket.set(6, Array(SettingsRejected.type.utf8))  // ZMQ_SUBSCRIBE
            try socket.connect(owner.directory.endpoint(owner.service, .events))
        }
    }

    private static let bytes = 500_000

    @Test(arguments: [1, 4]) func whatNobodyReadsIsBoundedInBytes(deafCount: Int) async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let recorder = EventRecorder(.shield)
        let follower = try owner.follow(recorder)
        defer { follower.close() }
        let deaf = try (0..<deafCount).map { _ in try Deaf(owner) }
        try owner.commit(1)
        _ = try await recorder.sequences(through: 1)
        var most = 0
        // Half a gigabyte.
        for _ in 0..<1_000 {
            try owner.commit(1, bytes: Self.bytes)
            most = max(most, owner.unreadEventBytes)
            await Task.yield()
        }
        print("at most \(most) bytes unread, \(owner.refusals.count) refusals")
        #expect(most < 2 * Limits.unreadEventBytesMax)
        #expect(owner.refusals.contains(.unreadEvents))
        let sequences = try await recorder.sequences(through: owner.head)
        #expect(sequences == Array(1...owner.head))
        withExtendedLifetime(deaf) {}
    }
}
