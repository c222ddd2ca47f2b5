import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// The end of a burst is lost while the owner's queue is full, and nothing later reveals it. Its messages
/// arrive as this test decides.
@Suite(.timeLimit(.minutes(1))) @LoopActor final class LostTailTests {
    private let place: Place
    private let owner: Owner
    private let transport: ScriptedTransport
    private var subscriber: ScriptedSubscriber { transport.made }

    init() throws {
        place = try Place()
        owner = Owner(place.directory)
        transport = ScriptedTransport(place.directory)
        try owner.start()
    }

    private func follow(_ recorder: EventRecorder) throws -> EventFollower {
        try EventFollower(
            owner.service, in: transport, client: try owner.client(), cursor: Cursor(epoch: "", sequence: 0),
            queuedMax: 64, output: recorder.output)
    }

    private func head(on topic: String) -> (String, [UInt8]) {
        let source = "/test/\(owner.epoch)/\(owner.service.rawValue)"
        return (topic, SyncHead(source: source, head: SequenceText(owner.head), run: "r1").encoded())
    }

    private func event(_ sequence: Int64) -> (String, [UInt8]) {
        (SettingsRejected.type, owner.log[Int(sequence - owner.first)].bytes)
    }

    /// A queue of 64 messages was full when the owner committed the last ones.
    @Test(arguments: [1, 5, 64]) func theHeadIsRequestedHoweverAQueueArrives(atOnce: Int) async throws {
        let recorder = EventRecorder(owner.service)
        let follower = try follow(recorder)
        subscriber.onConnection?(true)
        subscriber.arrive([head(on: subscriber.syncTopic)])
        #expect(follower.phase == .live)
        try owner.commit(70)
        for start in stride(from: Int64(1), through: 64, by: atOnce) {
            subscriber.arrive((start...min(64, start + Int64(atOnce) - 1)).map(event))
        }
        // Half of them have left the owner's queue when it can take messages again.
        let requested = subscriber.syncTopics.count { $0.received > 32 }
        #expect(requested > 0)
        subscriber.arrive([head(on: subscriber.syncTopic)])
        #expect(try await recorder.sequences(through: 70) == Array(1...70))
        follower.close()
        owner.stop()
    }

    /// The head that was under way when the connection ended says nothing of the next connection.
    @Test func theHeadOfAnEarlierConnectionIsNoAnswer() async throws {
        let recorder = EventRecorder(owner.service)
        let follower = try follow(recorder)
        let earlier = subscriber.syncTopic
        subscriber.onConnection?(true)
        let late = head(on: earlier)
        subscriber.onConnection?(false)
        try owner.commit(5)
        subscriber.onConnection?(true)
        subscriber.arrive([late])
        // The head of this connection is lost: it is requested again.
        let asked = subscriber.syncTopics.count
        while subscriber.syncTopics.count == asked { try await subscriber.nextSubscription() }
        subscriber.arrive([head(on: subscriber.syncTopic)])
        #expect(try await recorder.sequences(through: 5) == Array(1...5))
        follower.close()
        owner.stop()
    }
}

/// Requests go over libzmq; the live stream is ``ScriptedSubscriber``.
@LoopActor private final class ScriptedTransport: Transport {
    private let directory: RuntimeDirectory
    let made = ScriptedSubscriber()
    var loop: EventLoop { directory.loop }

    init(_ directory: RuntimeDirectory) { self.directory = directory }

    func dealer(to name: String) throws(SocketError) -> any DealerSocket { try directory.dealer(to: name) }
    func router(of name: String) throws(SocketError) -> any RouterSocket { try directory.router(of: name) }
    func publisher(
        of name: String, topics: [String], queuedMax: Int
    ) throws(SocketError) -> any PublisherSocket {
        try directory.publisher(of: name, topics: topics, queuedMax: queuedMax)
    }
    func subscriber(queuedMax: Int) throws(SocketError) -> any SubscriberSocket { made }
}

@LoopActor private final class ScriptedSubscriber: SubscriberSocket {
    var onReady: (@LoopActor () -> Void)?
    var onConnection: (@LoopActor (Bool) -> Void)?
    /// The requests for the head, and how many messages had arrived before.
    private(set) var syncTopics: [(topic: String, received: Int)] = []
    var syncTopic: String { syncTopics.last?.topic ?? "" }
    private var queue: [(topic: String, bytes: [UInt8])] = []
    private var received = 0
    private var waiter: CheckedContinuation<Void, any Error>?

    /// The follower finds these, and then nothing more.
    func arrive(_ messages: [(String, [UInt8])]) {
        queue += messages.map { ($0.0, $0.1) }
        while !queue.isEmpty { onReady?() }
    }

    func nextSubscription() async throws {
        try await withCheckedThrowingContinuation { waiter = $0 }
    }

    func setSubscribed(_ topic: String, _ isSubscribed: Bool) {
        guard isSubscribed, topic.hasPrefix(Topic.sync) else { return }
        syncTopics.append((topic, received))
        waiter?.resume()
        waiter = nil
    }

    func connect(to name: String) {}
    func close() {}

    func receive(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) -> Void
    ) -> Bool {
        guard !queue.isEmpty else { return false }
        let (topic, bytes) = queue.removeFirst()
        received += 1
        Array(topic.utf8).withUnsafeBytes { topic in bytes.withUnsafeBytes { body(topic, $0) } }
        return true
    }
}
