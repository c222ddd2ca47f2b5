import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Unlimited subscriptions: libzmq stores each in a tree of bytes, and walks the whole tree when a peer
/// leaves. Therefore unpublished topics never reach it, and self-chosen topics are limited.
@Suite(.serialized) @LoopActor struct SubscriptionBoundTests {
    @LoopActor private final class Subscriber {
        let peer: BarePeer
        private let isCommand: Bool

        /// - Parameter isCommand: whether it subscribes as ZMTP 3.1 has it.
        init(_ owner: Owner, isCommand: Bool = false) async throws {
            self.isCommand = isCommand
            peer = try BarePeer(owner.directory.socketPath(owner.service, .events))
            await peer.say(BarePeer.signature + BarePeer.ready("SUB"))
            await peer.hearReady()
        }

        func frame(_ topic: [UInt8], wants: Bool = true, flags: UInt8 = 0) -> [UInt8] {
            guard isCommand else { return BarePeer.frame([wants ? 1 : 0] + topic, flags: flags) }
            let name = wants ? "SUBSCRIBE" : "CANCEL"
            return BarePeer.frame([UInt8(name.utf8.count)] + Array(name.utf8) + topic, flags: flags | 4)
        }

        func say(_ topic: String, wants: Bool = true, flags: UInt8 = 0) async {
            await peer.say(frame(Array(topic.utf8), wants: wants, flags: flags))
        }

        /// Waits until the publisher has sent the head on `topic`, or has disconnected the peer.
        func hear(_ topic: String) async {
            while !peer.isClosed, !String(decoding: peer.received, as: UTF8.self).contains(topic) {
                peer.listen()
                await Task.yield()
            }
        }
    }

    private func withOwner(_ body: (Owner) async throws -> Void) async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let recorder = EventRecorder(.shield)
        let follower = try owner.follow(recorder)
        defer { follower.close() }
        try owner.commit(1)
        _ = try await recorder.sequences(through: owner.head)
        try await body(owner)
        // Followers, and new subscribers, are served.
        try owner.commit(1)
        _ = try await recorder.sequences(through: owner.head)
        let late = EventRecorder(.shield)
        let second = try owner.follow(late)
        defer { second.close() }
        _ = try await late.sequences(through: owner.head)
    }

    /// What libzmq was given shows in what the publisher is shown: nothing of it.
    @Test(arguments: [false, true], [0, 2]) func whatNobodyPublishesIsTakenOut(
        isCommand: Bool, flags: UInt8
    ) async throws {
        try await withOwner { owner in
            let peer = try await Subscriber(owner, isCommand: isCommand)
            let shown = owner.subscriptionsShown
            var chance = SystemRandomNumberGenerator()
            var all: [UInt8] = []
            for count in 0..<2_000 {
                let topic = (0...count % 500).map { _ in UInt8.random(in: 128...255, using: &chance) }
                all += peer.frame(topic, flags: flags) + peer.frame(topic, wants: false, flags: flags)
            }
            let type = SettingsRejected.type
            for topic in ["", "s", String(type.dropLast()), type, "~trace", "~"] {
                all += peer.frame(Array(topic.utf8))
            }
            for topic in [type + ".", "x", "~tracer"] { all += peer.frame(Array(topic.utf8)) }
            all += peer.frame(Array("~sync.here".utf8))
            // In pieces that end anywhere.
            while !all.isEmpty {
                let piece = Array(all.prefix(Int.random(in: 1...5_000, using: &chance)))
                all.removeFirst(piece.count)
                await peer.peer.say(piece)
            }
            await peer.hear("~sync.here")
            #expect(!peer.peer.isClosed)
            #expect(owner.subscriptionsShown - shown == 7)
            try await eventually("2,003 refusals") { owner.refusals.count >= 2_003 }
            #expect(owner.refusals == Array(repeating: .malformedSubscription, count: 2_003))
        }
    }

    @Test(arguments: [false, true]) func oneHasSoManyTopicsOfItsOwnAtATime(isCommand: Bool) async throws {
        try await withOwner { owner in
            let peer = try await Subscriber(owner, isCommand: isCommand)
            let most = Limits.syncTopicsPerConnectionMax
            // Any number, one after the other; a repeat does not count.
            for number in 0..<5 * most {
                await peer.say("~sync.\(number).")
                await peer.say("~sync.\(number).")
                await peer.hear("~sync.\(number).")
                await peer.say("~sync.\(number).", wants: false)
            }
            for number in 0..<most { await peer.say("~sync.a\(number).") }
            await peer.say("~sync." + String(repeating: "x", count: Limits.syncTopicBytesMax))
            await peer.hear("~sync.a\(most - 1).")
            #expect(!peer.peer.isClosed)
            await peer.say("~sync.more")
            await peer.hear("~sync.more")
            #expect(peer.peer.isClosed)
            try await eventually("a refusal") { owner.refusals.contains(.tooManySubscriptions) }
            #expect(owner.refusals.filter { $0 == .tooManySubscriptions }.count == 1)
            // It may come again.
            let again = try await Subscriber(owner, isCommand: isCommand)
            await again.say("~sync.more")
            await again.hear("~sync.more")
            #expect(!again.peer.isClosed)
        }
    }

    @Test func allHaveSoManyTogether() async throws {
        try await withOwner { owner in
            let each = Limits.syncTopicsPerConnectionMax
            var peers: [Subscriber] = []
            for number in 0...Limits.syncTopicsMax / each {
                let peer = try await Subscriber(owner)
                peers.append(peer)
                for topic in 0..<each { await peer.say("~sync.\(number).\(topic).") }
                await peer.hear("~sync.\(number).\(each - 1).")
            }
            try await eventually("a refusal") { !owner.refusals.isEmpty }
            #expect(owner.refusals.allSatisfy { $0 == .tooManySubscriptions })
        }
    }

    /// libzmq reports each change and queues reports that are not read; repeats are dropped.
    @Test(arguments: [false, true]) func repeatsAreTakenOut(isCommand: Bool) async throws {
        try await withOwner { owner in
            let peer = try await Subscriber(owner, isCommand: isCommand)
            let shown = owner.subscriptionsShown
            let type = SettingsRejected.type
            for topic in ["", "s", type, "~trace", "~sync.own"] {
                await peer.say(topic, wants: false)
                for _ in 0..<1_000 { await peer.say(topic) }
            }
            await peer.say(type, wants: false)
            for _ in 0..<1_000 { await peer.say(type, wants: false) }
            await peer.say("~sync.here")
            await peer.hear("~sync.here")
            #expect(!peer.peer.isClosed)
            #expect(owner.subscriptionsShown - shown == 7)
        }
    }

    @Test func changesWithoutPauseEndTheConnection() async throws {
        try await withOwner { owner in
            let peer = try await Subscriber(owner)
            let shown = owner.subscriptionsShown
            var asked = 0
            while !peer.peer.isClosed {
                await peer.say(SettingsRejected.type, wants: asked % 2 == 0)
                peer.peer.listen()
                asked += 1
            }
            // It may make some at once, and gets more with the time.
            #expect(asked > 500 && owner.subscriptionsShown - shown < asked + 10)
            try await eventually("a refusal") { !owner.refusals.isEmpty }
            #expect(owner.refusals == [.tooManySubscriptions])
        }
    }

    /// What is no subscription would be shown to the service, as much as comes.
    @Test(arguments: [
        BarePeer.frame([2, 65]), BarePeer.frame([]), BarePeer.frame([1, 115], flags: 1),
        BarePeer.frame(Array("\u{4}PING".utf8), flags: 4), BarePeer.frame(Array("\u{5}ERROR".utf8), flags: 4),
    ]) func whatIsNoSubscriptionEndsItsConnection(bytes: [UInt8]) async throws {
        try await withOwner { owner in
            let shown = owner.subscriptionsShown
            let peer = try await Subscriber(owner)
            await peer.peer.say(bytes + bytes)
            await peer.hear("never")
            #expect(peer.peer.isClosed && owner.subscriptionsShown == shown)
            try await eventually("a refusal") { !owner.refusals.isEmpty }
            #expect(owner.refusals == [.malformedSubscription])
        }
    }

    /// Bytes that are no frame of a subscriber end its connection.
    @Test(arguments: [
        [2] + [UInt8](repeating: 255, count: 8),
        [2, 255, 255, 255, 255, 255, 255, 255, 247], [2, 0, 0, 0, 0, 0, 0, 2, 12],
        [6, 0, 0, 0, 0, 0, 16, 0, 0],
    ] as [[UInt8]]) func whatIsTooLongEndsItsConnection(bytes: [UInt8]) async throws {
        try await withOwner { owner in
            let peer = try await Subscriber(owner)
            await peer.peer.say(bytes)
            await peer.say("~sync.here")
            await peer.hear("~sync.here")
            #expect(peer.peer.isClosed)
            try await eventually("a refusal") { !owner.refusals.isEmpty }
            #expect(owner.refusals == [.malformedSubscription])
        }
    }
}
