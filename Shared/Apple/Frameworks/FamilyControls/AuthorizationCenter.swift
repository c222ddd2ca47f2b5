public import Combine
internal import Contract
internal import Dispatch
package import ExtensionLink
internal import FoundationExtras
internal import JSON
internal import os
internal import Synchronization

/// Requests the person's permission for this app and publishes the result.
///
/// Unlike on iOS, ``authorizationStatus`` is the stored decision from the first read on and follows each
/// change immediately, whoever makes it: the person in a terminal, a guardian, another process of the app.
/// `notDetermined` means that no decision is stored.
///
/// A program without an Info.plist must first call ``HostApplication/identify(_:name:)``.
public final class AuthorizationCenter: ObservableObject,
    // Its only state is `@Published`, which keeps its value behind a lock, and state behind a mutex.
    @unchecked Sendable
{
    /// Connects on first use, to the services of this account.
    public static let shared = AuthorizationCenter(ExtensionLink.Link.shared)

    /// The person's decision. Changes are made on the main queue, where observers see each of them. The first
    /// read waits for the services, at most for the link's deadline (5 s).
    @Published public private(set) var authorizationStatus: AuthorizationStatus

    private let link: ExtensionLink.Link
    private let logger = Logger(subsystem: "FamilyControls", category: "authorization")
    /// Incremented with each status received. A status that arrives out of order is dropped.
    private let heard = Mutex<Int64>(0)

    /// Subscribes to authorization changes and reads the present status. - Parameter link: the connection to
    /// the host.
    package init(_ link: ExtensionLink.Link) {
        self.link = link
        authorizationStatus = .notDetermined
        link.subscribe(types: [AuthorizationChanged.type]) { [weak self] _, data in
            // An event that cannot be decoded still means that something changed.
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

    /// Asks the person and returns after they agree. If they already agreed, it returns at once; an app that
    /// requests data access is asked again until that is granted too. With
    /// `com.apple.developer.family-controls.app-and-website-usage` in the app's entitlements the request
    /// includes access to names (``AuthorizationStatus/approvedWithDataAccess``).
    ///
    /// Cancelling the task stops the wait. The question remains until the person answers it.
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

    /// Requests authorization for a child. The handler is called on the main queue.
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

    /// Revokes this app's authorization: its stores are cleared, its schedules end without callbacks, and its
    /// tokens become void permanently. Does nothing if the app is not authorized. The handler is called on
    /// the main queue after the change is committed.
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
            // There is no authorization to revoke.
        }
    }

    // MARK: knowing

    private func read() throws(ServiceError) -> AuthorizationStatus {
        let hello = try link.hello()
        let list = try link.call(AuthorizationList.self, AuthorizationList.Params(client: hello.client))
        return AuthorizationStatus(list.authorizations.first { $0.member == hello.member })
    }

    /// Reads on a background thread, and retries until it succeeds.
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

    /// Applies an event about any authorization of the client.
    private func take(_ authorization: Authorization) {
        // The member is known by now: events arrive only after the first connection.
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

    /// Reads the stored status after an answer, because other processes can change it as well.
    private func readNow() {
        // If it cannot be read now, it is read with the next connection.
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

/// Carries a completion handler to the main queue.
private struct Unshared<Value>:
    // Made from a parameter that has no other caller: moved once, called once.
    @unchecked Sendable
{
    let value: Value
    init(_ value: Value) { self.value = value }
}
