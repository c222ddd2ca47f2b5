import Contract
import TestSupport
import Testing

@testable import Bus

/// Subscriptions that never end: libzmq keeps each, so what a connection may send is bounded, and what all may.
@Suite(.serialized) @BusActor struct SubscriptionBoundTests {
    @BusActor private final class Subscriber {
        let peer: BarePeer
        private var chance = SystemRandomNumberGenerator()
        private(set) var sent = 0

        init(_ owner: Owner) async throws {
            peer = try BarePeer(owner.directory.socketPath(owner.service, .events))
            let greeting = BarePeer.signature + BarePeer.ready("SUB")
            await peer.say(greeting)
            await peer.hearReady()
            sent = greeting.count
        }

        /// Subscribes to topics of `bytes` that nobody else has, until so many bytes were sent or the other
        /// end has had enough.
        func subscribe(until count: Int, bytes: Int) async {
            while !peer.isClosed, sent + bytes + 10 <= count {
                let topic = (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &chance) }
                let frame = BarePeer.frame([1] + topic)
                await peer.say(frame)
                sent += frame.count
                peer.listen()
            }
        }
    }

    /// A follower that was there before, and one that comes later, hear what is told.
    private func everybodyElseHears(_ owner: Owner, _ recorder: EventRecorder) async throws {
        try owner.commit(1)
        _ = try await recorder.sequences(through: owner.head)
        let late = EventRecorder(.shield)
        let follower = try owner.follow(late)
        defer { follower.close() }
        _ = try await late.sequences(through: owner.head)
    }

    @Test(arguments: [2, 40, 511]) func oneConnectionSubscribesToSoMuchAndNoMore(bytes: Int) async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let recorder = EventRecorder(.shield)
        let follower = try owner.follow(recorder)
        defer { follower.close() }
        let modest = try await Subscriber(owner)
        await modest.subscribe(until: Limits.subscriptionBytesPerConnectionMax, bytes: bytes)
        let greedy = try await Subscriber(owner)
        // What is in the kernel's buffers was sent, too.
        await greedy.subscribe(until: 64 * Limits.subscriptionBytesPerConnectionMax, bytes: bytes)
        try #require(greedy.peer.isClosed)
        while !owner.refusals.contains(.tooManySubscriptions) { await Task.yield() }
        #expect(owner.refusals == [.tooManySubscriptions])
        try await everybodyElseHears(owner, recorder)
        modest.peer.listen()
        #expect(!modest.peer.isClosed)
    }

    @Test func whoSubscribedTheMostGoesWhenAllAreTooMuch() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let recorder = EventRecorder(.shield)
        let follower = try owner.follow(recorder)
        defer { follower.close() }
        let most = Limits.subscriptionBytesPerConnectionMax
        let greedy = try await Subscriber(owner)
        await greedy.subscribe(until: most, bytes: 200)
        var others: [Subscriber] = []
        while !greedy.peer.isClosed {
            let other = try await Subscriber(owner)
            await other.subscribe(until: most / 2, bytes: 200)
            others.append(other)
            greedy.peer.listen()
            try #require(others.count <= 2 * Limits.subscriptionBytesMax / most + 1)
        }
        while owner.refusals.isEmpty { await Task.yield() }
        #expect(owner.refusals == [.tooManySubscriptions])
        try await everybodyElseHears(owner, recorder)
        others.forEach { $0.peer.listen() }
        #expect(others.allSatisfy { !$0.peer.isClosed })
        // It may come again.
        _ = try await Subscriber(owner)
    }
}
