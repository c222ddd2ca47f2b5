import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// The notification about a request, which has its subject and its reason, is forgotten with the request.
@Suite(.serialized) @LoopActor struct RequestNotificationTests {
    /// auth-service, and the notifier on a desktop.
    @LoopActor private final class Home {
        private static let reason = "very private"
        let room: RequestRoom
        let desktop = DirectedDesktop()
        let notifier: NotifierService
        private let person: RequestClient

        init() async throws {
            room = try await RequestRoom()
            notifier = try desktop.notifier(room.configuration)
            person = try RequestClient(
                to: .notifier, in: room.configuration.runtime, tracer: Tracer(service: "test"))
        }

        func close() {
            person.close()
            notifier.service.close()
            room.close()
        }

        /// Asks, and waits until the question is on the screen.
        func ask(_ subject: String = "org.example.game", of member: String) async throws -> TimeRequest {
            let asked = try await room.ask(subject, minutes: 40, of: member, reason: Self.reason)
            if let opens = asked.selfApproval { room.move(to: opens) }
            try await state("request." + asked.id, .delivered)
            return asked
        }

        func state(_ identifier: String, _ state: NotificationState) async throws {
            let key = NotificationKey(client: nil, identifier: identifier)
            try await untilTurn("\(identifier) is \(state.rawValue)") { [self] in
                try notifier.table.find(key)?.record.state == state && !notifier.service.hasUncommitted
            }
        }

        func deny(_ asked: TimeRequest) async throws {
            _ = try await room.decide(asked, .deny)
            try await state("request." + asked.id, .closed)
        }

        /// In the order of `screentime forget`.
        func forget(_ params: PrivacyForget.Params) async throws {
            _ = try await person.call(PrivacyForget.self, params)
            _ = try await room.call(PrivacyForget.self, params)
            try await untilTurn("nothing is to be withdrawn") { [room] in
                try room.auth.requestQuestions.firstOver() == nil && !room.auth.service.hasUncommitted
            }
        }

        /// How often rows and events of the notifier have the reason.
        func reasons() throws -> [Int] {
            let rows = try NotificationState.allCases.flatMap { try notifier.table.all($0) }
            let log = try notifier.service.eventLog.page(after: 0, types: [], limit: 1_000).events
            let texts = try log.map {
                String(decoding: try AnyEvent.decode($0.body).encoded(), as: UTF8.self)
            }
            return [
                rows.count { $0.record.body.contains(Self.reason) },
                texts.count { $0.contains(Self.reason) },
            ]
        }
    }

    private static func with(_ body: @LoopActor (Home) async throws -> Void) async throws {
        let home = try await Home()
        try await body(home)
        home.close()
    }

    private static func day(_ member: String) -> PrivacyForget.Params {
        PrivacyForget.Params(member: member, from: 0, to: 4_102_444_800_000)
    }

    private static func everything(_ member: String) -> PrivacyForget.Params {
        PrivacyForget.Params(member: member, everything: true)
    }

    /// Of another member, whose notifications are shown to the person.
    @Test(arguments: [false, true]) func whatIsOverGoesWithIt(isEverything: Bool) async throws {
        try await Self.with { home in
            try await home.deny(try await home.ask(of: RequestRoom.anna))
            #expect(try home.reasons() == [1, 1])
            for other in [Self.day("member-Kim"), Self.everything("member-Kim")] {
                try await home.forget(other)
                #expect(try home.reasons() == [1, 1])
            }
            let anna = RequestRoom.anna
            try await home.forget(isEverything ? Self.everything(anna) : Self.day(anna))
            #expect(try home.room.auth.requests.all().isEmpty)
            #expect(try home.reasons() == [0, 0])
        }
    }

    /// A request that is still pending is no history; its question stays, to be answered.
    @Test(arguments: [false, true]) func anOpenQuestionGoesWithEverythingOnly(isOwn: Bool) async throws {
        let member = isOwn ? RequestRoom.own : RequestRoom.anna
        try await Self.with { home in
            let asked = try await home.ask(of: member)
            try await home.forget(Self.day(member))
            #expect(try home.room.now(asked)?.state == .pending)
            #expect(try home.reasons()[0] == 1 && home.desktop.closed.isEmpty)
            try await home.forget(Self.everything(member))
            #expect(try home.room.now(asked) == nil)
            #expect(try home.reasons() == [0, 0])
            try await untilTurn("it leaves the screen") { !home.desktop.closed.isEmpty }
        }
    }

    /// Another one's request, which is kept, can still be decided.
    @Test func anothersOpenQuestionStays() async throws {
        try await Self.with { home in
            let asked = try await home.ask(of: RequestRoom.anna)
            try await home.forget(Self.everything(RequestRoom.own))
            #expect(try home.room.now(asked)?.state == .pending)
            #expect(try home.reasons()[0] == 1 && home.desktop.closed.isEmpty)
            try await home.deny(asked)
        }
    }
}
