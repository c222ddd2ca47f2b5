import Combine
import Contract
import Dispatch
import ExtensionLink
import FamilyControls
import Foundation
import JSON
import ScreenTimeTesting
import Testing

/// The authorization center against a host that the test plays.
@Suite(.serialized, .timeLimit(.minutes(1))) struct FamilyControlsCenterTests {
    private static let client = "org.example.app"

    /// Of the queue, not the thread: in a program that waits in `dispatchMain` another thread serves it.
    private static let mark = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

    private static func authorization(
        _ status: Contract.AuthorizationStatus, data: Bool = false
    ) -> Authorization {
        Authorization(
            id: "abcdef", client: client, member: "uid-1", status: status, access: status == .approved,
            dataAccess: data ? true : nil)
    }

    /// A host with one authorization; requests wait until the test answers them.
    private final class Desk: Sendable {
        let present = Guarded<Authorization?>(nil)
        let host = Guarded<LinkHost?>(nil)
        let waiting = Guarded<[Int64]>([])
        let connections = Guarded(0)

        func link() -> ExtensionLink.Link {
            LinkHost.link(
                hosts: { made in
                    self.host.withLock { $0 = made }
                    self.connections.withLock { $0 += 1 }
                },
                answering: { host, id, method, _ in
                    switch method {
                    case AuthorizationList.name:
                        let list = AuthorizationList.Result(
                            authorizations: self.present.withLock { $0.map { [$0] } ?? [] })
                        host.send(WireMessage.answer(id, .success(RawJSON(encoding: list))))
                    case AuthorizationRequest.name, AuthorizationRevoke.name:
                        self.waiting.withLock { $0.append(id) }
                    default: host.greet(id, method)
                    }
                })
        }

        func decide(_ authorization: Authorization) async throws {
            present.withLock { $0 = authorization }
            let result = AuthorizationRequest.Result(authorization: authorization, sequence: 1)
            try await answer(.success(RawJSON(encoding: result)))
        }

        func answer(_ result: Result<RawJSON, ServiceError>) async throws {
            try await eventually { self.waiting.withLock { !$0.isEmpty } }
            let id = waiting.withLock { $0.removeFirst() }
            host.withLock { $0 }?.send(WireMessage.answer(id, result))
        }

        func tell(_ authorization: Authorization) {
            present.withLock { $0 = authorization }
            let event = PushedEvent.Params(
                type: AuthorizationChanged.type,
                data: RawJSON(encoding: AuthorizationChanged(authorization: authorization)))
            host.withLock { $0 }?.send(WireMessage.request(900, PushedEvent.name, RawJSON(encoding: event)))
        }
    }

    @Test func theStatusIsTrueAtOnce() {
        for (status, data, expected) in [
            (Contract.AuthorizationStatus.approved, false, FamilyControls.AuthorizationStatus.approved),
            (.approved, true, .approvedWithDataAccess), (.denied, false, .denied),
            (.notDetermined, false, .notDetermined),
        ] {
            let desk = Desk()
            desk.present.withLock { $0 = Self.authorization(status, data: data) }
            #expect(AuthorizationCenter(desk.link()).authorizationStatus == expected)
        }
        #expect(AuthorizationCenter(Desk().link()).authorizationStatus == .notDetermined)
    }

    @Test func changesFromOutsideArePublishedOnTheMainQueue() async throws {
        let desk = Desk()
        let center = AuthorizationCenter(desk.link())
        let seen = Guarded<[FamilyControls.AuthorizationStatus]>([])
        let allOnMain = Guarded(true)
        let subscription = center.$authorizationStatus.dropFirst().sink { status in
            seen.withLock { $0.append(status) }
            if !Self.isOnMainQueue { allOnMain.withLock { $0 = false } }
        }
        defer { subscription.cancel() }
        let steps: [Contract.AuthorizationStatus] = [.approved, .denied, .approved, .notDetermined]
        for (index, status) in steps.enumerated() {
            desk.tell(Self.authorization(status))
            try await eventually { seen.withLock { $0.count } == index + 1 }
        }
        #expect(seen.withLock { $0 } == [.approved, .denied, .approved, .notDetermined])
        #expect(allOnMain.withLock { $0 })
        var foreign = Self.authorization(.approved)
        foreign.member = "uid-2"
        desk.tell(foreign)
        desk.tell(Self.authorization(.denied))
        try await eventually { seen.withLock { $0.count } == 5 }
        #expect(seen.withLock { $0.last } == .denied)
    }

    @Test func askingWaitsForThePerson() async throws {
        let desk = Desk()
        let center = AuthorizationCenter(desk.link())
        let asking = Task { try await center.requestAuthorization(for: .individual) }
        try await desk.decide(Self.authorization(.approved))
        try await asking.value
        #expect(center.authorizationStatus == .approved)
    }

    @Test(arguments: [
        (ErrorName.authorizationCanceled, FamilyControlsError.authorizationCanceled),
        (.authorizationConflict, .authorizationConflict), (.restricted, .restricted),
        (.invalidAccountType, .invalidAccountType), (.invalidParams, .invalidArgument),
        (.networkError, .networkError),
        (.authenticationMethodUnavailable, .authenticationMethodUnavailable), (.notAuthorized, .unauthorized),
        (.storageFull, .unavailable), (.deadlineExceeded, .unavailable),
    ])
    func refusalsHaveApplesNames(name: ErrorName, expected: FamilyControlsError) async throws {
        let desk = Desk()
        let center = AuthorizationCenter(desk.link())
        let asking = Task { try await center.requestAuthorization(for: .child) }
        desk.present.withLock { $0 = Self.authorization(.denied) }
        try await desk.answer(.failure(ServiceError(name, "no", remedy: "none")))
        let thrown = await #expect(throws: FamilyControlsError.self) { try await asking.value }
        #expect(thrown == expected)
        #expect(center.authorizationStatus == .denied)
    }

    @Test func aCancelledTaskStopsWaiting() async throws {
        let desk = Desk()
        let center = AuthorizationCenter(desk.link())
        let asking = Task { try await center.requestAuthorization(for: .individual) }
        try await eventually { desk.waiting.withLock { !$0.isEmpty } }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(center.authorizationStatus == .notDetermined)
    }

    @Test func revokingTellsByItsHandlerOnTheMainQueue() async throws {
        let desk = Desk()
        desk.present.withLock { $0 = Self.authorization(.approved) }
        let center = AuthorizationCenter(desk.link())
        async let result = withCheckedContinuation { continuation in
            center.revokeAuthorization { result in
                // An error is false, and fails the test.
                continuation.resume(returning: (try? result.get()) != nil && Self.isOnMainQueue)
            }
        }
        try await eventually { desk.waiting.withLock { !$0.isEmpty } }
        desk.present.withLock { $0 = Self.authorization(.notDetermined) }
        try await desk.answer(.success(RawJSON(encoding: Written(sequence: 2))))
        #expect(await result)
        #expect(center.authorizationStatus == .notDetermined)
        async let again = withCheckedContinuation { continuation in
            // As above.
            center.revokeAuthorization { continuation.resume(returning: (try? $0.get()) != nil) }
        }
        try await desk.answer(.failure(ServiceError(.notAuthorized, "no", remedy: "none")))
        #expect(await again, "nothing to give back is no error")
    }

    @Test func aNewConnectionBringsWhatWasMissed() async throws {
        let desk = Desk()
        let center = AuthorizationCenter(desk.link())
        #expect(center.authorizationStatus == .notDetermined)
        desk.present.withLock { $0 = Self.authorization(.approved) }
        desk.host.withLock { $0 }?.hangUp()
        try await eventually { center.authorizationStatus == .approved }
        #expect(desk.connections.withLock { $0 } == 2)
    }
}
