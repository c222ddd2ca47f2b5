public import Combine
internal import Contract
internal import Dispatch
package import ExtensionLink
internal import FoundationExtras
internal import JSON
internal import os
internal import Synchronization

/// Asks the person to let this app act, and knows what they said.
///
/// Unlike on iOS ``authorizationStatus`` is the stored decision from the first time it is read, and follows
/// each change at once, whoever makes it: the person in a terminal, a guardian, another process of the app.
/// `notDetermined` means exactly that.
///
/// A program without an Info.plist names itself first: ``HostApplication/identify(_:)``.
public final class AuthorizationCenter: ObservableObject,
    // All it has is `@Published`, which keeps its value behind a lock, and locked state.
    @unchecked Sendable
{
    public static let shared = AuthorizationCenter(ExtensionLink.Link.shared)

    /// What the person decided. Changes are made on the main queue, where a reader sees each; a first read
    /// waits for the system, at most the link's deadline (5 s).
    @Published public private(set) var authorizationStatus: AuthorizationStatus

    private let link: ExtensionLink.Link
    private let logger = Logger(subsystem: "FamilyControls", category: "authorization")
    /// Grows with each status that was heard; an older one that comes late is dropped.
    private let heard = Mutex<Int64>(0)

    package init(_ link: ExtensionLink.Link) {
        self.link = link
        authorizationStatus = .notDetermined
        link.subscribe(types: [AuthorizationChanged.type]) { [weak self] _, data in
            // An event of a newer version says at least that something changed.
            guard let change = try? AuthorizationChanged.decode(data.bytes) else {
                self?.readAgain()
                return
            }
            self?.take(change.authorization)
        }
        link.onConnection { [weak self] in self?.readAgain() }
        do throws(ServiceError) { authorizationStatus = try read() } catch {
            logger.error("the authorization cannot be read: \(error.message, privacy: .public)")
            readAgain()
        }
    }

    // MARK: asking

    /// Asks the person; returns when they have said yes. Asked again after that it returns at once, and so it
    /// does for an app that may see names once they allowed that too. With
    /// `com.apple.developer.family-controls.app-and-website-usage` in the app's entitlements the question is
    /// also about names (``AuthorizationStatus/approvedWithDataAccess``).
    ///
    /// A task that is cancelled stops waiting; the question stays until the person answers it.
    /// - Throws: ``FamilyControlsError``; `CancellationError`
    public func requestAuthorization(for member: FamilyControlsMember) async throws {
        do {
            let hello = try link.hello()
            let params = AuthorizationRequest.Params(
                client: hello.client, clientName: HostApplication.name,
                forWhom: member == .child ? .child : .individual,
                member: hello.member, dataAccess: hello.dataAccess == true ? true : nil)
            let answer = try await link.call(
                later: AuthorizationRequest.self, params, deadline: Limits.requestDeadlineMax)
            await MainActor.run { set(answer.authorization) }
        } catch let error as ServiceError {
            await MainActor.run { readNow() }
            throw FamilyControlsError(error)
        }
    }

    /// Asks the person for a child's app. The handler is called on the main queue.
    @available(*, deprecated, renamed: "requestAuthorization(for:)")
    public func requestAuthorization(completionHandler: @escaping (Result<Void, any Error>) -> Void) {
        let handler = Unshared(completionHandler)
        Task {
            let result: Result<Void, any Error>
            do {
                try await requestAuthorization(for: .child)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            DispatchQueue.main.async { handler.value(result) }
        }
    }

    /// Gives the authorization back: the app's stores are cleared, its schedules end without callbacks, its
    /// tokens are void for ever. Without one nothing happens. The handler is called on the main queue when
    /// that is committed.
    public func revokeAuthorization(completionHandler: @escaping (Result<Void, any Error>) -> Void) {
        let handler = Unshared(completionHandler)
        Task {
            let result: Result<Void, any Error>
            do {
                try await revoke()
                result = .success(())
            } catch let error as ServiceError {
                result = .failure(FamilyControlsError(error))
            } catch {
                result = .failure(error)
            }
            DispatchQueue.main.async {
                self.readNow()
                handler.value(result)
            }
        }
    }

    private func revoke() async throws {
        let hello = try link.hello()
        do {
            _ = try await link.call(
                later: AuthorizationRevoke.self,
                AuthorizationRevoke.Params(client: hello.client, member: hello.member))
        } catch let error as ServiceError where [.notAuthorized, .notFound].contains(error.name) {
            // There is nothing to give back.
        }
    }

    // MARK: knowing

    private func read() throws(ServiceError) -> AuthorizationStatus {
        let hello = try link.hello()
        let list = try link.call(AuthorizationList.self, AuthorizationList.Params(client: hello.client))
        return AuthorizationStatus(list.authorizations.first { $0.member == hello.member })
    }

    /// On a thread of its own, and again until it succeeds.
    private func readAgain() {
        DispatchQueue.global().async { [weak self] in
            guard let self else { return }
            do throws(ServiceError) {
                let order = heard.withLock {
                    $0 += 1
                    return $0
                }
                let status = try read()
                DispatchQueue.main.async { self.set(status, order) }
            } catch {
                guard error.name == .unavailable || error.name == .deadlineExceeded else { return }
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) { self.readAgain() }
            }
        }
    }

    /// An event of any of the client's authorizations.
    private func take(_ authorization: Authorization) {
        // Known since the first event can only come after it.
        guard let member = try? link.hello().member, authorization.member == member else { return }
        let order = heard.withLock {
            $0 += 1
            return $0
        }
        DispatchQueue.main.async { self.set(AuthorizationStatus(authorization), order) }
    }

    private func set(_ authorization: Authorization) {
        let order = heard.withLock {
            $0 += 1
            return $0
        }
        set(AuthorizationStatus(authorization), order)
    }

    /// What an answer says that others may have made: what holds now.
    private func readNow() {
        // What cannot be read now comes with the next connection.
        guard let status = try? read() else { return readAgain() }
        let order = heard.withLock {
            $0 += 1
            return $0
        }
        set(status, order)
    }

    private func set(_ status: AuthorizationStatus, _ order: Int64) {
        guard heard.withLock({ $0 <= order }), authorizationStatus != status else { return }
        authorizationStatus = status
    }
}

/// A completion handler on its one way to the main queue.
private struct Unshared<Value>:
    // Made from a parameter that nobody else calls meanwhile: handed on once, called once.
    @unchecked Sendable
{
    let value: Value
    init(_ value: Value) { self.value = value }
}
