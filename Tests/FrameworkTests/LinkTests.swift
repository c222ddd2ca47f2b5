import Contract
import Dispatch
import ExtensionLink
import Glibc
import JSON
import ScreenTimeTesting
import Testing

/// Calls from wherever a program may make them. A deadlock would end in the deadline, which fails the test.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LinkTests {
    static let read = SettingsRead.Params(member: nil, store: "a")

    /// A host that answers each read after all of `count` are open, so that all callers wait at once.
    private static func gathering(_ count: Int) -> Link {
        let waiting = Guarded<[Int64]>([])
        return LinkHost.link { host, id, method, _ in
            guard method == SettingsRead.name else { return host.greet(id, method) }
            let all = waiting.withLock { waiting -> [Int64] in
                waiting.append(id)
                guard waiting.count == count else { return [] }
                defer { waiting = [] }
                return waiting
            }
            // In another order than they came.
            for id in all.reversed() { host.send(Self.store("s\(id)", id)) }
        }
    }

    private static func store(_ name: String, _ id: Int64) -> [UInt8] {
        var result = SettingsRead.Result()
        result.store.store = name
        return WireMessage.answer(id, .success(RawJSON(encoding: result)))
    }

    @Test func callersInAllPlacesAreAnsweredAtOnce() async throws {
        // More than the pool has threads would never be open together: each blocks one.
        let threads = 200
        let link = Self.gathering(threads)
        let done = Guarded<Set<String>>([])
        let all = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            testThread {
                // Who gets no answer is missing in the count.
                let answer = try? link.call(SettingsRead.self, Self.read)
                if let answer { _ = done.withLock { $0.insert(answer.store.store) } }
                all.signal()
            }
        }
        await onThread { for _ in 0..<threads { all.wait() } }
        #expect(done.withLock { $0.count } == threads)
    }

    /// A program that only listens has no next call that would connect it.
    @Test func whoOnlyListensIsConnectedAgain() async throws {
        let tries = Guarded(0)
        let subscribed = DispatchSemaphore(value: 0)
        let made = LinkHost.sockets { host, id, method, _ in
            host.greet(id, method)
            guard method == Subscribe.method else { return }
            if tries.withLock({ $0 }) == 4 { host.hangUp() }
            subscribed.signal()
        }
        let link = Link(retry: 1) { () throws(ServiceError) in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            // At first, and when the connection has ended, there is no way to the host for a while.
            guard number == 4 || number == 8 else {
                throw ServiceError(.unavailable, "no host yet", remedy: "Wait.")
            }
            return made()
        }
        _ = link.subscribe(types: ["a.b"]) { _, _ in }
        await onThread { for _ in 0..<2 { subscribed.wait() } }
        #expect(tries.withLock { $0 } == 8)
    }

    @Test func whatTheHostDidNotKnowIsAskedAgain() throws {
        let asked = Guarded(0)
        let link = LinkHost.link { host, id, _, _ in
            var answer = Hello.Answer()
            answer.client = "org.example.app"
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            answer.groupsUnknown = count == 1 ? "nobody said" : nil
            host.send(WireMessage.answer(id, .success(RawJSON(encoding: answer))))
        }
        _ = try link.hello()
        #expect(try link.hello(again: true).groupsUnknown == nil)
        #expect(try link.hello().groupsUnknown == nil)
    }

    @Test func twoHundredTasksOfThePoolCall() async throws {
        let link = LinkHost.link { host, id, method, _ in
            method == SettingsRead.name ? host.send(Self.store("s\(id)", id)) : host.greet(id, method)
        }
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask { try link.call(SettingsRead.self, Self.read).store.store }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 200)
    }

    @Test func twoHundredTasksWaitWithoutThreads() async throws {
        let link = Self.gathering(200)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask { try await link.call(later: SettingsRead.self, Self.read).store.store }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 200)
    }

    @Test func actorsAndTheMainActorCall() async throws {
        // Answered at once: tests beside this one may hold the pool's other threads.
        let link = LinkHost.link { host, id, method, _ in
            method == SettingsRead.name ? host.send(Self.store("s\(id)", id)) : host.greet(id, method)
        }
        async let first = Caller().call(link)
        async let second = onMain(link)
        let both = try await [first, second]
        #expect(Set(both).count == 2)
    }

    @MainActor private func onMain(_ link: Link) throws -> String {
        // Work on the main queue that only runs after this must not be needed for the answer.
        DispatchQueue.main.async {}
        return try link.call(SettingsRead.self, Self.read).store.store
    }

    private actor Caller {
        func call(_ link: Link) throws -> String {
            try link.call(SettingsRead.self, LinkTests.read).store.store
        }
    }

    @Test func aCallbackCallsUnderItsOwnLockWhileOthersCall() async throws {
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(
            hosts: { made in host.withLock { $0 = made } },
            answering: { host, id, method, _ in
                method == SettingsRead.name ? host.send(Self.store("s\(id)", id)) : host.greet(id, method)
            })
        let lock = Guarded(0)
        link.serve(MonitorCallback.self) { _ in
            try lock.withLock { count in
                count += 1
                _ = try link.call(SettingsRead.self, Self.read)
            }
            return Nothing()
        }
        link.startServing()
        let made = try #require(host.withLock { $0 })
        let others = DispatchSemaphore(value: 0)
        for _ in 0..<8 {
            testThread {
                for _ in 0..<50 {
                    lock.withLock { count in
                        count += 1
                        // As above.
                        _ = try? link.call(SettingsRead.self, Self.read)
                    }
                }
                others.signal()
            }
        }
        for delivery in 1...50 {
            let params = CallbackParams(
                callback: .intervalDidEnd, about: ActivityCallback(), delivery: Int64(delivery), attempt: 1)
            made.send(WireMessage.request(Int64(delivery), Wire.callbackMethod, RawJSON(encoding: params)))
        }
        await onThread { for _ in 0..<8 { others.wait() } }
        try await eventually { made.answer(to: 50) != nil }
        #expect(lock.withLock { $0 } == 450)
    }

    // MARK: ends

    @Test func aSilentHostIsTheDeadlinesError() async throws {
        let link = LinkHost.link { host, id, method, _ in
            if method == Hello.method { host.greet(id, method) }
        }
        let late = try #require(throws: ServiceError.self) {
            try link.call(SettingsRead.self, Self.read, deadline: 50)
        }
        #expect(late.name == .deadlineExceeded)
        await #expect(throws: ServiceError.self) {
            try await link.call(later: SettingsRead.self, Self.read, deadline: 50)
        }
    }

    @Test func aLateAnswerIsDropped() async throws {
        let link = LinkHost.link { host, id, method, params in
            switch method {
            case SettingsRead.name:
                // The answer comes when the next request is there, long after the deadline.
                break
            case SettingsList.name:
                host.send(Self.store("late", id - 1))
                host.greet(id, method)
            default: host.greet(id, method)
            }
        }
        // Too late, as it shall be.
        _ = try? link.call(SettingsRead.self, Self.read, deadline: 20)
        _ = try link.call(SettingsList.name, RawJSON(encoding: Nothing()))
        _ = try link.hello()
    }

    @Test func aCancelledTaskNoLongerWaits() async throws {
        let asked = DispatchSemaphore(value: 0)
        let link = LinkHost.link { host, id, method, _ in
            method == SettingsRead.name ? _ = asked.signal() : host.greet(id, method)
        }
        let task = Task { try await link.call(later: SettingsRead.self, Self.read, deadline: 3_000_000) }
        await onThread { asked.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aHostThatLeavesFailsTheCallAndTheNextOneConnectsAgain() async throws {
        let connections = Guarded(0)
        let link = LinkHost.link(
            hosts: { _ in connections.withLock { $0 += 1 } },
            answering: { host, id, method, _ in
                method == SettingsRead.name ? host.hangUp() : host.greet(id, method)
            })
        let gone = try #require(throws: ServiceError.self) { try link.call(SettingsRead.self, Self.read) }
        #expect(gone.name == .unavailable)
        try await eventually {
            // The stream may not have ended yet.
            (try? link.hello().client) == "org.example.app" && connections.withLock { $0 } == 2
        }
    }

    @Test func garbageEndsTheConnectionOnly() async throws {
        let link = LinkHost.link { host, id, method, _ in
            method == SettingsRead.name
                ? host.sendBytes(Array("GET / HTTP/1.1".utf8)) : host.greet(id, method)
        }
        let gone = try #require(throws: ServiceError.self) { try link.call(SettingsRead.self, Self.read) }
        #expect(gone.name == .unavailable)
    }

    @Test func aHostThatDoesNotReadIsTheDeadlinesErrorToo() async throws {
        let link = Link(connecting: {
            var pair: [Int32] = [-1, -1]
            _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair)
            return LinkSocket(descriptor: pair[0], lifetime: .ofTest)
        })
        let big = RawJSON(encoding: String(repeating: "a", count: 900_000))
        for _ in 0..<3 {
            let error = try #require(throws: ServiceError.self) { try link.call("x", big, deadline: 20) }
            #expect(error.name == .deadlineExceeded)
        }
        let error = try #require(throws: ServiceError.self) {
            try link.call("x", RawJSON(encoding: String(repeating: "a", count: 1 << 20)))
        }
        #expect(error.name == .messageTooLong)
    }
}

/// Waits for what blocks, on a thread that is not the pool's.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        testThread {
            body()
            continuation.resume()
        }
    }
}
