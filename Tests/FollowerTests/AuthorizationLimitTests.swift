import Units
import Bus
import Contract
import Foundation
import Loop
import ServiceKit
import Testing

@testable import AuthCore

/// Apps that only ask fill no place for good: there is room for the next one.
@Suite @LoopActor struct AuthorizationLimitTests {
    private static let place = AuthLimits.authorizationsMax

    private func service(
        _ count: Int = place, _ authorization: (Int) -> Authorization
    ) throws -> AuthService {
        let core = try AuthService(try TestDirectory().configuration())
        core.hasEnded = { _ in false }
        try core.service.transact(trace: nil) { _ in
            try core.members.insert(Member(id: "uid-1", name: "one", role: .guardian))
            for number in 0..<count {
                var one = authorization(number)
                (one.id, one.client, one.member) = ("id-\(number)", "org.example.c\(number)", "uid-1")
                one.requested = Instant(Milliseconds(number))
                try core.authorizations.save(one)
            }
        }
        return core
    }

    private func makeRoom(_ core: AuthService, for pid: Int32) throws {
        try core.service.transact(trace: nil) { try core.makeRoom(for: pid, $0) }
    }

    private func left(_ core: AuthService) throws -> Set<String> {
        Set(try core.authorizations.all().map(\.id))
    }

    @Test func whatWasNeverDecidedGoesFirstTheOldestBeforeOthers() throws {
        let core = try service { number in
            number < 3 ? Authorization(status: .denied, decided: 1) : Authorization()
        }
        try makeRoom(core, for: 1)
        #expect(try left(core).count == Self.place - 1)
        #expect(try !left(core).contains("id-3"))
        // There is room; no other question is removed.
        try makeRoom(core, for: 1)
        #expect(try left(core).count == Self.place - 1)
    }

    @Test func whatWasDeniedGoesNextAndCopiesHearOfIt() throws {
        let core = try service { _ in Authorization(status: .denied, decided: 1) }
        let before = try core.service.eventLog.head()
        try makeRoom(core, for: 1)
        #expect(try !left(core).contains("id-0"))
        let page = try core.service.eventLog.page(after: before, types: [], limit: 2, bytesMax: 1 << 20)
        let event = try #require(page.events.first)
        let data = try #require(try AnyEvent.decode(event.body).data)
        let change = try AuthorizationChanged.decode(data.bytes)
        #expect(change.authorization.client == "org.example.c0" && !change.revoked)
        #expect(change.authorization.status == .notDetermined && change.authorization.decided == nil)
        #expect(core.service.household.authorization(client: "org.example.c0", member: "uid-1") == nil)
    }

    @Test func whatIsApprovedStays() throws {
        let core = try service { _ in Authorization(status: .approved, access: true, decided: 1) }
        let error = #expect(throws: ServiceError.self) { try makeRoom(core, for: 1) }
        #expect(error?.name == .limitExceeded)
        #expect(error?.remedy.contains("screentime authorization list") == true)
        #expect(try left(core).count == Self.place)
    }

    @Test func questionsThatNobodyWaitsForGoBeforeOthers() throws {
        let core = try service { _ in Authorization(pending: true) }
        for number in 0..<Self.place where number != 7 && number != 9 {
            core.note(Int32(number + 1), waitsFor: "id-\(number)", nil)
        }
        try makeRoom(core, for: 1)
        #expect(try left(core).count == Self.place - 1 && !left(core).contains("id-7"))
    }

    @Test func whoAsksTheMostLosesTheNewestAndNotWhoComes() throws {
        let core = try service { _ in Authorization(pending: true) }
        // Each process but one asks once.
        for number in 0..<Self.place {
            core.note(number % 2 == 0 ? 1 : Int32(number + 1_000), waitsFor: "id-\(number)", nil)
        }
        let newest = Self.place - 2 + Self.place % 2
        let error = #expect(throws: ServiceError.self) { try makeRoom(core, for: 1) }
        #expect(error?.name == .limitExceeded)
        try makeRoom(core, for: 2)
        #expect(try left(core).count == Self.place - 1 && !left(core).contains("id-\(newest)"))
        #expect(core.askingProcesses["id-\(newest)"] == nil)
    }

    @Test func aWriteThatIsUndoneDisplacesNobody() throws {
        let core = try service { _ in Authorization(pending: true) }
        for number in 0..<Self.place { core.note(1, waitsFor: "id-\(number)", nil) }
        struct Undone: Error {}
        #expect(throws: (any Error).self) {
            try core.service.transact(trace: nil) { transaction in
                try core.makeRoom(for: 2, transaction)
                throw Undone()
            }
        }
        #expect(try left(core).count == Self.place && core.askingProcesses.count == Self.place)
    }

    /// Questions of exited processes, also those without waiting requests, can be removed.
    @Test func whatAnEndedProcessAskedMakesRoom() throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/true")
        try child.run()
        let ended = child.processIdentifier
        child.waitUntilExit()
        let core = try service { _ in Authorization(status: .notDetermined, pending: true) }
        core.hasEnded = { Peer.isGone($0) }
        for number in 0..<Self.place { core.note(number == 7 ? ended : 1, waitsFor: "id-\(number)", nil) }
        try makeRoom(core, for: 2)
        #expect(try !left(core).contains("id-7") && left(core).count == Self.place - 1)
    }
}
