import Contract
import Dispatch
import ExtensionLink
import Glibc
import JSON
import ScreenTimeTesting
import Testing

/// What a host asks of a program.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LinkServingTests {
    private static func serving(
        journal: Int32 = -1, _ prepare: (Link) -> Void
    ) throws -> (Link, LinkHost) {
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(journal: journal, hosts: { made in host.withLock { $0 = made } })
        prepare(link)
        link.startServing()
        return (link, try #require(host.withLock { $0 }))
    }

    private static func callback(_ delivery: Int64, attempt: Int64 = 1) -> [UInt8] {
        let params = CallbackParams(
            callback: .intervalDidStart, about: ActivityCallback(), delivery: delivery, attempt: attempt)
        return WireMessage.request(delivery, Wire.callbackMethod, RawJSON(encoding: params))
    }

    @Test func callbacksComeInOrderOneAtATimeAndAreNoted() async throws {
        var template = Array("/tmp/link-journal-XXXXXX".utf8CString)
        let journal = mkstemp(&template)
        unlink(template)
        defer { close(journal) }
        let seen = Guarded<[Int64]>([])
        let (link, host) = try Self.serving(journal: journal) { link in
            link.serve(MonitorCallback.self) { params in
                seen.withLock { $0.append(params.delivery) }
                guard params.delivery != 20 else { throw ServiceError(.conflict, "no", remedy: "none") }
                return Nothing()
            }
        }
        for delivery in 1...20 { host.send(Self.callback(Int64(delivery), attempt: 7)) }
        try await eventually { host.answer(to: 20) != nil }
        #expect(seen.withLock { $0 } == Array(1...20))
        guard case .failure(let error)? = host.answer(to: 20) else { throw error("answered") }
        #expect(error.name == .conflict)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(pread(journal, &bytes, 16, 0) == 16)
        // The one that threw did not return.
        #expect(bytes == Wire.journal(delivery: 19, attempt: 7))
        withExtendedLifetime(link) {}
    }

    /// A program need not find out that a write failed: Apple's setters do not throw.
    @Test func aCallbackWhoseWriteNobodyAcceptedIsNotNoted() async throws {
        var template = Array("/tmp/link-journal-XXXXXX".utf8CString)
        let journal = mkstemp(&template)
        unlink(template)
        defer { close(journal) }
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(journal: journal, hosts: { made in host.withLock { $0 = made } }) {
            host, id, method, _ in
            guard method != Hello.method, let name = [
                "settings.write": ErrorName.unavailable, "monitoring.start": .invalidParams,
                "settings.read": .unavailable,
            ][method] else { return host.greet(id, method) }
            host.send(WireMessage.answer(id, .failure(ServiceError(name, "no", remedy: "none"))))
        }
        let calls = ["settings.write", "monitoring.start", "settings.read"]
        link.serve(MonitorCallback.self) { params in
            // Its errors are what the test is about.
            _ = try? link.call(calls[Int(params.delivery) - 1], RawJSON(encoding: Nothing()))
            return Nothing()
        }
        link.startServing()
        let made = try #require(host.withLock { $0 })
        var noted: [[UInt8]] = []
        for delivery in 1...3 {
            made.send(Self.callback(Int64(delivery)))
            try await eventually { made.answer(to: Int64(delivery)) != nil }
            var bytes = [UInt8](repeating: 0, count: 16)
            noted.append(pread(journal, &bytes, 16, 0) == 16 ? bytes : [])
        }
        #expect(noted == [[], Wire.journal(delivery: 2, attempt: 1), Wire.journal(delivery: 3, attempt: 1)])
    }

    private func error(_ text: String) -> ServiceError { ServiceError(.internalError, text, remedy: "") }

    @Test func whatCameBeforeServingIsKept() async throws {
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(hosts: { made in host.withLock { $0 = made } })
        _ = try link.hello()
        let made = try #require(host.withLock { $0 })
        made.send(Self.callback(1))
        // The link has read it when this is answered: the stream keeps its order.
        made.send(
            WireMessage.request(
                2, PushedEvent.name, RawJSON(encoding: PushedEvent.Params(type: "a", data: RawJSON()))))
        try await eventually { made.answer(to: 2) != nil }
        #expect(made.answer(to: 1) == nil)
        link.serve(MonitorCallback.self) { _ in Nothing() }
        link.startServing()
        try await eventually { made.answer(to: 1) != nil }
    }

    @Test func anAnswerMayComeLaterAndCountsOnce() async throws {
        let kept = Guarded<[HostAnswer<ShieldAct>]>([])
        let (link, host) = try Self.serving { link in
            link.serve(
                ShieldAct.self,
                answering: { params, answer in
                    guard params.action != "drop" else { return }
                    kept.withLock { $0.append(answer) }
                })
        }
        func ask(_ id: Int64, _ action: String) {
            let params = ShieldAct.Params(kind: .application, token: "token:", action: action)
            host.send(WireMessage.request(id, ShieldAct.name, RawJSON(encoding: params)))
        }
        ask(1, "keep")
        ask(2, "keep")
        ask(3, "drop")
        try await eventually { kept.withLock { $0.count } == 2 && host.answer(to: 3) != nil }
        guard case .failure? = host.answer(to: 3) else { throw error("a dropped handler was no error") }
        #expect(host.answer(to: 1) == nil)
        let answers = kept.withLock { $0 }
        #expect(answers[1].give(.success(ShieldAct.Result(response: "close"))))
        #expect(!answers[1].give(.success(ShieldAct.Result(response: "none"))))
        try await eventually { host.answer(to: 2) != nil }
        let response = try #require(host.answer(to: 2)).get().decoded(as: ShieldAct.Result.self)
        #expect(response.response == "close")
        withExtendedLifetime(link) {}
    }

    @Test func unknownAndMalformedRequestsAreRefused() async throws {
        let (link, host) = try Self.serving { link in
            link.serve(ShieldConfigure.self) { _ in ShieldLook() }
        }
        host.send(WireMessage.request(1, "report.make", RawJSON(encoding: Nothing())))
        host.send(WireMessage.request(2, ShieldConfigure.name, RawJSON(encoding: [1])))
        host.send(WireMessage.request(3, ShieldConfigure.name, RawJSON(encoding: Nothing())))
        try await eventually { host.answer(to: 1) != nil && host.answer(to: 3) != nil }
        #expect(Self.name(host.answer(to: 1)) == .methodNotFound)
        #expect(Self.name(host.answer(to: 2)) == .invalidParams)
        #expect(Self.name(host.answer(to: 3)) == nil)
        withExtendedLifetime(link) {}
    }

    private static func name(_ answer: Result<RawJSON, ServiceError>?) -> ErrorName? {
        guard case .failure(let error)? = answer else { return nil }
        return error.name
    }

    @Test func eventsReachTheirSubscribersInOrderAlsoWhileACallbackRuns() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (link, host) = try Self.serving { link in
            link.serve(MonitorCallback.self) { _ in
                gate.wait()
                return Nothing()
            }
        }
        let seen = Guarded<[String]>([])
        let one = link.subscribe(types: ["a", "b"]) { type, data in
            seen.withLock { $0.append("1\(type)\(String(decoding: data.bytes, as: UTF8.self))") }
        }
        link.subscribe(types: ["b"]) { type, _ in seen.withLock { $0.append("2\(type)") } }
        host.send(Self.callback(1))
        func push(_ id: Int64, _ type: String) {
            host.send(
                WireMessage.request(
                    id, PushedEvent.name,
                    RawJSON(encoding: PushedEvent.Params(type: type, data: RawJSON(encoding: id)))))
        }
        push(2, "a")
        push(3, "b")
        push(4, "c")
        try await eventually { host.answer(to: 4) != nil }
        #expect(seen.withLock { $0 } == ["1a2", "1b3", "2b"])
        #expect(host.answer(to: 1) == nil)
        link.unsubscribe(one)
        push(5, "b")
        try await eventually { host.answer(to: 5) != nil }
        #expect(seen.withLock { $0.last } == "2b" && seen.withLock { $0.count } == 4)
        gate.signal()
        try await eventually { host.answer(to: 1) != nil }
        #expect(host.methods.first == Hello.method && host.methods.contains(Subscribe.method))
    }
}
