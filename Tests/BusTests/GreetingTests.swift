import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// Greetings of peers. libzmq gives nameless peers names that begin with a zero byte and aborts the process
/// if a peer already has such a name, so no peer may use one, in any form that libzmq understands.
@Suite @LoopActor struct GreetingTests {
    struct Greeting: CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var isTaken = false

        init(_ description: String, _ bytes: [UInt8], isTaken: Bool = false) {
            testDescription = description
            self.bytes = bytes
            self.isTaken = isTaken
        }
    }

    nonisolated private static func named(
        _ name: [UInt8], as property: String = "Identity", flags: UInt8 = 4
    ) -> [UInt8] {
        BarePeer.signature + BarePeer.ready("DEALER", BarePeer.property(property, name), flags: flags)
    }

    nonisolated private static let numbered: [UInt8] = [0, 1, 2, 3, 4]
    nonisolated private static let old: [UInt8] = [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f]

    nonisolated static let greetings: [Greeting] = [
        Greeting("nameless", BarePeer.signature + BarePeer.ready("DEALER"), isTaken: true),
        Greeting("with an empty name", named([]), isTaken: true),
        Greeting("with a name", named(Array("tool".utf8)), isTaken: true),
        Greeting("with a name with zeros", named([1, 0, 0]), isTaken: true),
        Greeting("with a long name", named([UInt8](repeating: 7, count: 255)), isTaken: true),
        Greeting("with what nobody knows", named([0, 0], as: "X-Identity"), isTaken: true),
        Greeting("in a long frame", BarePeer.signature + BarePeer.ready("DEALER", flags: 6), isTaken: true),
        Greeting("with a number", named(numbered)),
        Greeting("with a zero", named([0])),
        Greeting("with zeros", named([UInt8](repeating: 0, count: 255))),
        Greeting("with a number, in a long frame", named(numbered, flags: 6)),
        Greeting("with a number, in small letters", named(numbered, as: "identity")),
        Greeting("with a number, as a message", named(numbered, flags: 0)),
        Greeting(
            "with a number after a name",
            BarePeer.signature
                + BarePeer.ready(
                    "DEALER",
                    BarePeer.property("Identity", [1]) + BarePeer.property("Identity", numbered))),
        Greeting("with half a property", BarePeer.signature + BarePeer.ready("DEALER", [8, 0x49, 0x64])),
        Greeting(
            "with ERROR", BarePeer.signature + BarePeer.frame([5] + Array("ERROR".utf8) + [0], flags: 4)),
        Greeting("with a number by ZMTP 2", old + [1, 5] + [0, 5] + numbered),
        Greeting("nameless by ZMTP 2", old + [1, 5, 0, 0]),
        Greeting("with a number by ZMTP 1", [6, 0] + numbered),
        Greeting("with a number by ZMTP 1, long", [0xff, 0, 0, 0, 0, 0, 0, 0, 6, 0] + numbered),
    ]

    @Test(arguments: greetings, [1, 7, 4_096]) func isTakenOnlyWithAProperName(
        greeting: Greeting, bytesAtOnce: Int
    ) async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let peer = try BarePeer(place.directory.socketPath(.auth, .requests))
        for start in stride(from: 0, to: greeting.bytes.count, by: bytesAtOnce) {
            await peer.say(Array(greeting.bytes[start...].prefix(bytesAtOnce)))
        }
        await peer.hearReady()
        await peer.say(BarePeer.frame(Array(#"{"jsonrpc":"2.0","id":1,"method":"member.list"}"#.utf8)))
        // Until it is answered, or the other end has had enough of it.
        while !peer.isClosed, !String(decoding: peer.received, as: UTF8.self).contains("Ada") {
            peer.listen()
            await Task.yield()
        }
        #expect(peer.isClosed != greeting.isTaken)
        #expect(server.asked.isEmpty != greeting.isTaken)
        try await eventually("a refusal") { !peer.isClosed || !server.refusals.isEmpty }
        #expect(server.refusals == (greeting.isTaken ? [] : [.malformedHandshake]))
        // Others are served.
        _ = try await server.client().call(MemberList.self, Nothing())
    }

    /// A peer that leaves during the handshake, as an exiting program does, is no failure; a silent one is.
    @Test func whoLeavesIsNoFailureAndWhoIsSilentIsOne() async throws {
        let place = try Place()
        let server = RequestTests.Server(place.directory)
        try server.start()
        let whole = BarePeer.signature + BarePeer.ready("DEALER")
        for count in [0, 1, 20, 64, 70, whole.count - 1] {
            let peer = try BarePeer(place.directory.socketPath(.auth, .requests))
            await peer.say(Array(whole.prefix(count)))
            await peer.hear(10)
        }
        // They leave data unread: the kernel reports that as an error, not as the end of the stream.
        for round in 0..<60 {
            let peer = try BarePeer(place.directory.socketPath(.auth, .requests))
            await peer.say(Array(whole.prefix([0, 20, 64, 70][round % 4])))
            for _ in 0..<round / 4 { await Task.yield() }
        }
        let silent = try BarePeer(place.directory.socketPath(.auth, .requests))
        await silent.say(Array(whole.prefix(20)))
        try await eventually("a refusal") { !server.refusals.isEmpty }
        #expect(server.refusals == [.malformedHandshake])
    }
}
