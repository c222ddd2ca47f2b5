import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

@Suite @LoopActor struct RequestTests {
    /// A server that answers member.list with one member, and member.add with what it was asked.
    @LoopActor final class Server {
        let directory: RuntimeDirectory
        var server: RequestServer?
        var asked: [String] = []
        var refusals: [RefusalReason] = []
        /// While false, requests are taken and never answered.
        var answers = true
        /// Whether unanswered requests are marked as waiting.
        var waits = false
        /// Which of those asked are never answered, from 1.
        var unanswered: Set<Int> = []
        var name = "Ada"
        /// Called with the number of those asked, from 1.
        var willAnswer: (Int) -> Void = { _ in }

        init(_ directory: RuntimeDirectory) { self.directory = directory }

        func start() throws {
            let server = try RequestServer(.auth, in: directory, tracer: Tracer(service: "server"))
            server.onRefusal = { [unowned self] reason, _ in refusals.append(reason) }
            server.answer(MemberList.self) { [unowned self] _, context, reply in
                asked.append(context.trace.traceID)
                willAnswer(asked.count)
                let own = Member(id: "uid-1", name: name, role: .guardian)
                guard answers, !unanswered.contains(asked.count) else {
                    if waits { context.open?.suspend { reply.fail($0) } }
                    return
                }
                reply.succeed(MemberList.Result(members: [own]))
            }
            server.answer(MemberAdd.self) { [unowned self] params, context, reply in
                asked.append(context.idempotencyKey ?? "none")
                reply.fail(
                    ServiceError(.alreadyExists, "\(params.name) is there", remedy: "Choose another name."))
            }
            self.server = server
        }

        func stop() {
            server?.close()
            server = nil
        }

        func client() throws -> RequestClient {
            try RequestClient(to: .auth, in: directory, tracer: Tracer(service: "client"))
        }
    }

    @Test func anAnswerComesBackAndTheTraceGoesAlong() async throws {
        let place = try Place()
        let server = Server(place.directory)
        try server.start()
        let trace = TraceContext.root()
        let result = try await server.client().call(
            MemberList.self, Nothing(), options: CallOptions(trace: trace))
        #expect(result.members.map(\.name) == ["Ada"])
        #expect(server.asked == [trace.traceID])
    }

    @Test func aRefusalIsTypedAndAWriteCarriesAKey() async throws {
        let place = try Place()
        let server = Server(place.directory)
        try server.start()
        await #expect(throws: ServiceError(.alreadyExists, "Bo is there", remedy: "Choose another name.")) {
            try await server.client().call(MemberAdd.self, MemberAdd.Params(name: "Bo"))
        }
        #expect(server.asked.count == 1 && server.asked[0].count == 32)
    }

    @Test func withoutAServerTheCallEndsAtItsDeadline() async throws {
        let place = try Place()
        let client = try Server(place.directory).client()
        let error = await #expect(throws: ServiceError.self) {
            try await client.call(MemberList.self, Nothing(), options: CallOptions(deadline: 30))
        }
        #expect(error?.name == .unavailable)
    }

    @Test func aServerThatDoesNotAnswerCostsItsDeadlineAndNothingElse() async throws {
        let place = try Place()
        let server = Server(place.directory)
        try server.start()
        let client = try server.client()
        // Connected: what cannot be handed over is refused otherwise.
        _ = try await client.call(MemberList.self, Nothing())
        server.answers = false
        let error = await #expect(throws: ServiceError.self) {
            try await client.call(MemberList.self, Nothing(), options: CallOptions(deadline: 200))
        }
        #expect(error?.name == .deadlineExceeded)
        try await eventually("two are asked") { server.asked.count >= 2 }
        #expect(server.server?.unanswered == 1)
        server.answers = true
        let result = try await client.call(MemberList.self, Nothing())
        #expect(result.members.count == 1)
    }

    @Test func aRequestOpenAtARestartIsAskedAgain() async throws {
        let place = try Place()
        let server = Server(place.directory)
        server.answers = false
        try server.start()
        let client = try server.client()
        let expectation = Expectation<Int>("the answer of the successor")
        client.send(MemberList.self, Nothing(), options: CallOptions(deadline: 30_000)) { result in
            switch result {
            case .success(let result): expectation.fulfil(result.members.count)
            case .failure(let error): expectation.fail(error)
            }
        }
        try await eventually("it is asked") { !server.asked.isEmpty }
        server.stop()
        server.answers = true
        try server.start()
        #expect(try await expectation.wait() == 1)
        #expect(server.asked.count == 2)
    }

    @Test func everyOneOfManyRestartsAsksAgain() async throws {
        let place = try Place()
        let server = Server(place.directory)
        let client = try server.client()
        for round in 1...40 {
            // Requests of the previous round do not matter here.
            server.asked = []
            server.answers = false
            try server.start()
            let expectation = Expectation<Void>("the answer of round \(round)")
            client.send(MemberList.self, Nothing(), options: CallOptions(deadline: 10_000)) { result in
                if case .failure(let error) = result {
                    expectation.fail(error)
                } else {
                    expectation.fulfil(())
                }
            }
            try await eventually("it is asked") { !server.asked.isEmpty }
            server.stop()
            server.asked = []
            server.answers = true
            try server.start()
            try await expectation.wait()
            server.stop()
        }
    }

    @Test func tooLongARequestIsRefusedBeforeItIsSent() async throws {
        let place = try Place()
        let client = try Server(place.directory).client()
        let error = await #expect(throws: ServiceError.self) {
            try await client.call(
                MemberAdd.self, MemberAdd.Params(name: String(repeating: "x", count: Limits.messageBytesMax)))
        }
        #expect(error?.name == .messageTooLong)
    }

    @Test func thousandsAtOnceAllComeBack() async throws {
        let place = try Place()
        let server = Server(place.directory)
        try server.start()
        let client = try server.client()
        let done = Expectation<Void>("all answers")
        var left = 1_000
        for _ in 0..<left {
            client.send(MemberList.self, Nothing(), options: CallOptions(deadline: 60_000)) { result in
                guard case .success = result else { return done.fail(Overdue("\(result)")) }
                left -= 1
                if left == 0 { done.fulfil(()) }
            }
        }
        try await done.wait()
        #expect(server.server?.unanswered == 0)
    }
}
