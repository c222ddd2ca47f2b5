internal import Contract
internal import ExtensionLink
public import Foundation
import Synchronization
import Units

/// This app's notifications. The notifier service shows them through the desktop's notification daemon,
/// immediately or when they are due, even if the app is not running. An app and its extensions share them.
///
/// Calls without a result have succeeded when they return, or have failed within 2 seconds, which the error
/// log reports. Completion handlers are called later, on a separate queue.
public final class UNUserNotificationCenter: NSObject, Sendable {
    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var subscription: LinkSubscription?
    }

    private static let shared = UNUserNotificationCenter(Link.shared)

    /// The maximum time in milliseconds that a call without a result blocks its caller.
    static let patience: Milliseconds = 2_000

    private let state = Mutex(State())
    private let link: Link
    private let completions = DispatchQueue(label: "screentime-notifications")

    init(_ link: Link) { self.link = link }

    /// The center of this process.
    public class func current() -> UNUserNotificationCenter { shared }

    /// False: notifications have no views here.
    public class var supportsContentExtensions: Bool { false }

    /// Kept weakly. Responses are received from the first assignment on.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            let former = state.withLock { state in
                state.delegate = newValue
                return state.subscription
            }
            guard newValue != nil, former == nil else { return }
            let subscription = link.subscribe(
                types: [NotificationDelivered.type, NotificationAnswered.type]
            ) { [weak self] type, data in
                self?.take(type, data.bytes)
            }
            state.withLock { $0.subscription = subscription }
        }
    }

    // MARK: asking

    /// Whether this app may show notifications: true if the person allowed the app to use Screen Time. If
    /// there is no decision yet, the person is asked; an extension cannot ask.
    /// - Parameter options: one permission covers all of them.
    @discardableResult
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        do {
            let hello = try link.hello()
            let status = try await status(hello)
            guard status == .notDetermined, hello.point == nil else { return status == .authorized }
            let params = AuthorizationRequest.Params(
                client: hello.client, forWhom: .individual, member: hello.member)
            let answer = try await link.call(
                later: AuthorizationRequest.self, params, deadline: Limits.requestDeadlineMax)
            return answer.authorization.status == .approved && answer.authorization.access
        } catch let error as ServiceError where error.isRefusalByPerson {
            return false
        } catch let error as ServiceError {
            throw UNError(error)
        }
    }

    /// The same with a completion handler. A refusal by the person is `false` without an error.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Task {
            do { completionHandler(try await requestAuthorization(options: options), nil) } catch {
                completionHandler(false, error)
            }
        }
    }

    /// - Returns: not determined also if no service answers.
    public func notificationSettings() async -> UNNotificationSettings {
        do { return UNNotificationSettings(try await status(link.hello())) } catch {
            tell("reading the settings", error)
            return UNNotificationSettings(.notDetermined)
        }
    }

    /// The same with a completion handler.
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        Task { completionHandler(await notificationSettings()) }
    }

    private func status(_ hello: Hello.Answer) async throws -> UNAuthorizationStatus {
        // Built-in apps that act for the person need no permission.
        guard !hello.client.isEmpty, hello.client != BuiltInClient.limits else { return .authorized }
        let known = try await link.call(
            later: AuthorizationList.self, AuthorizationList.Params(client: hello.client))
        let own = known.authorizations.first { $0.client == hello.client && $0.member == hello.member }
        guard let own, !own.pending else { return .notDetermined }
        switch own.status {
        case .approved: return own.access ? .authorized : .denied
        case .denied: return .denied
        case .notDetermined: return .notDetermined
        }
    }

    // MARK: posting

    /// Shows a notification, or schedules it if it has a trigger.
    /// - Throws: ``UNError``: `notificationsNotAllowed` without permission or if no service answers,
    /// `notificationInvalidNoDate` for a trigger that is never due (Apple accepts it),
    /// `notificationInvalidNoContent` for text that is missing or too long. At most 100 may be scheduled;
    /// more are refused (Apple silently drops all but 64).
    public func add(_ request: UNNotificationRequest) async throws {
        let params = try request.params(member: ownMember())
        do { _ = try await link.call(later: NotificationPost.self, params) } catch let error as ServiceError {
            throw request.refusal(error)
        }
    }

    /// The same, synchronously. Without a handler a failure is logged.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        finish("adding '\(request.identifier)'", completionHandler) {
            let params = try request.params(member: ownMember())
            do throws(ServiceError) {
                _ = try link.call(NotificationPost.self, params, deadline: Self.patience)
            } catch { throw request.refusal(error) }
        }
    }

    /// The member whose time zone applies to calendar triggers. Nil, meaning the person of this account, if
    /// the host cannot tell.
    private func ownMember() -> String? {
        // The following call reports problems with the connection.
        guard let member = try? link.hello().member, !member.isEmpty else { return nil }
        return member
    }

    /// Sets the app's badge number. - Throws: `UNError.badgeInputInvalid` for a negative number.
    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        do {
            _ = try await link.call(
                later: NotificationSetBadge.self, NotificationSetBadge.Params(count: Int64(newBadgeCount)))
        } catch let error as ServiceError { throw UNError(badge: error) }
    }

    /// - Parameter newBadgeCount: 0 removes the badge; a negative number is `UNError.badgeInputInvalid`.
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        finish("setting the badge", completionHandler) {
            do throws(ServiceError) {
                _ = try link.call(
                    NotificationSetBadge.self, NotificationSetBadge.Params(count: Int64(newBadgeCount)),
                    deadline: Self.patience)
            } catch { throw UNError(badge: error) }
        }
    }

    // MARK: what there is

    /// Notifications that were not shown yet, scheduled ones first in order of due time. Empty if no service
    /// answers.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await records(pending: true).filter { $0.state == .scheduled || $0.state == .pending }.map {
            UNNotificationRequest($0)
        }
    }

    /// The same with a completion handler.
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        Task { completionHandler(await pendingNotificationRequests()) }
    }

    /// Notifications on the screen, as far as the desktop's daemon reports them. Empty if no service answers.
    public func deliveredNotifications() async -> [UNNotification] {
        await records(pending: false).filter { $0.state == .delivered }.map { UNNotification($0) }
    }

    /// The same with a completion handler.
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        Task { completionHandler(await deliveredNotifications()) }
    }

    private func records(pending: Bool) async -> [NotificationRecord] {
        do {
            return try await link.call(
                later: NotificationList.self, NotificationList.Params(pending: pending, limit: 1_000)
            ).notifications
        } catch {
            tell("reading notifications", error)
            return []
        }
    }

    // MARK: taking back

    /// Unknown identifiers are ignored.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        clear(NotificationClear.Params(identifiers: identifiers, pending: true))
    }

    /// Removes all notifications that were not shown yet.
    public func removeAllPendingNotificationRequests() { clear(NotificationClear.Params(pending: true)) }

    /// Closes notifications on the screen. Unknown identifiers are ignored.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        clear(NotificationClear.Params(identifiers: identifiers, delivered: true))
    }

    /// Closes all of the app's notifications on the screen.
    public func removeAllDeliveredNotifications() { clear(NotificationClear.Params(delivered: true)) }

    private func clear(_ params: NotificationClear.Params) {
        finish("taking notifications back", nil) {
            _ = try link.call(NotificationClear.self, params, deadline: Self.patience)
        }
    }

    // MARK: categories

    /// Replaces all categories of the app. They apply to its extensions too.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let records = categories.map(\.record).sorted { $0.identifier < $1.identifier }
        finish("setting categories", nil) {
            _ = try link.call(
                NotificationSetCategories.self, NotificationSetCategories.Params(categories: records),
                deadline: Self.patience)
        }
    }

    /// The app's categories. Empty if no service answers.
    public func notificationCategories() async -> Set<UNNotificationCategory> {
        do {
            let known = try await link.call(later: NotificationCategories.self, Nothing()).categories
            return Set(known.map { UNNotificationCategory($0) })
        } catch {
            tell("reading categories", error)
            return []
        }
    }

    /// The same with a completion handler.
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        Task { completionHandler(await notificationCategories()) }
    }

    // MARK: answers

    private func take(_ type: String, _ bytes: [UInt8]) {
        guard let delegate else { return }
        do {
            if type == NotificationAnswered.type {
                let answered = try NotificationAnswered.decode(bytes)
                Task { @MainActor in
                    guard let response = UNNotificationResponse.make(answered) else { return }
                    await delegate.userNotificationCenter(self, didReceive: response)
                }
            } else {
                let delivered = try NotificationDelivered.decode(bytes).notification
                Task { @MainActor in
                    let options = await delegate.userNotificationCenter(
                        self, willPresent: UNNotification(delivered))
                    guard options.isDisjoint(with: [.banner, .list, .alert]) else { return }
                    removeDeliveredNotifications(withIdentifiers: [delivered.identifier])
                }
            }
        } catch { tell("reading what became of a notification", error) }
    }

    // MARK: ends

    /// Does the work immediately, so that the app's calls take effect in order; reports the result later.
    private func finish(
        _ what: String, _ completion: (@Sendable ((any Error)?) -> Void)?, _ work: () throws -> Void
    ) {
        do {
            try work()
            guard let completion else { return }
            completions.async { completion(nil) }
        } catch {
            guard let completion else { return tell(what, error) }
            completions.async { completion(error) }
        }
    }

    private func tell(_ what: String, _ error: any Error) {
        let line = "UserNotifications: \(what) failed: \(error.localizedDescription)\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}

extension ServiceError {
    fileprivate var isRefusalByPerson: Bool { [.authorizationCanceled, .notAuthorized].contains(name) }
}

extension UNNotificationRequest {
    fileprivate func refusal(_ error: ServiceError) -> UNError {
        let isAboutDate = error.name == .invalidParams && error.message.contains("trigger")
        return isAboutDate
            ? UNError(.notificationInvalidNoDate, "\(error.message). \(error.remedy)") : UNError(error)
    }
}

extension UNError {
    fileprivate init(badge error: ServiceError) {
        self = error.name == .invalidParams ? UNError(.badgeInputInvalid, error.message) : UNError(error)
    }
}
