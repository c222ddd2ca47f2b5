import ExtensionLink
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing

@testable import AppLinkCore

/// An app that does not read for a while (it hangs, or is frozen by its shield) loses nothing, and takes
/// little memory of its link.
@Suite @LoopActor struct ProgramStreamTests {
    private final class App {
        let socket: Int32
        private let other: Int32
        let stream: ProgramStream
        private var taken = 0
        private var isEnded = false
        private(set) var reason: String?

        /// Each question is answered with 100,000 bytes.
        @LoopActor init() {
            var pair: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
            (socket, other) = (pair[0], pair[1])
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
            stream = ProgramStream(pair[1])
        }

        @LoopActor func start() {
            let long = String(repeating: "x", count: 100_000)
            stream.start { [unowned self] id, _, _, _ in
                taken += 1
                stream.answer(id, .success(RawJSON(encoding: long)))
            } ended: { [unowned self] error in
                isEnded = true
                reason = error?.message
            }
        }

        @LoopActor var state: (taken: Int, isEnded: Bool) { (taken, isEnded) }

        deinit { for descriptor in [socket, other] { close(descriptor) } }
    }

    /// - Returns: how many of them there was room for.
    private func ask(_ app: App, _ ids: Range<Int64>) -> Int64 {
        for id in ids {
            let frame = Wire.frame(WireMessage.request(id, "nothing", RawJSON()))
            guard write(app.socket, frame, frame.count) == frame.count else { return id - ids.lowerBound }
        }
        return Int64(ids.count)
    }

    @Test func whoReadsLateGetsEveryAnswer() async throws {
        let app = App()
        app.start()
        // As many as there is room for, and more than may ever wait.
        var asked: Int64 = 0
        var isRoom = true
        while isRoom, asked < 500 {
            let count = ask(app, asked..<asked + 10)
            asked += count
            isRoom = count == 10
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(asked > 170 && !app.state.isEnded && app.state.taken < 100, "\(asked) \(app.state)")
        var frames = FrameReader()
        var answered: [Int64] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answered.count < asked, !app.state.isEnded {
            let count = read(app.socket, &buffer, buffer.count)
            guard count > 0 else {
                await Task.yield()
                continue
            }
            frames.append(buffer[..<count])
            while let message = try frames.next() {
                guard case .answer(let id, .success) = try WireMessage.read(message) else { continue }
                answered.append(id)
            }
        }
        #expect(!app.state.isEnded, "\(app.reason ?? "") \(answered.count)")
        #expect(answered == Array(0..<asked))
    }

    @Test func whoLeavesSomethingUnreadAndGoesIsGone() async throws {
        let app = App()
        app.start()
        #expect(ask(app, 0..<100) == 100)
        try await eventually("42 are taken") { app.state.taken >= 42 }
        shutdown(app.socket, Int32(SHUT_RDWR))
        try await eventually("the end") { app.state.isEnded }
        #expect(app.reason == nil)
    }

    @Test func eventsThatNobodyReadsEndTheLinkWithASentence() async throws {
        let app = App()
        app.start()
        let long = RawJSON(encoding: String(repeating: "x", count: 100_000))
        for id in 0..<200 where !app.state.isEnded { app.stream.request(Int64(id), "event", long) }
        #expect(app.state.isEnded && app.reason?.contains("bytes unread") == true)
    }
}
