internal import Contract
internal import ExtensionLink
public import Foundation
import Synchronization
import Units

/// This app's notifications: `notifier` shows them through the desktop's own daemon, at once or when they are
/// due, also when the app does not run any more. An app and its extensions share them.
///
/// Calls that return nothing are done when they return, or have failed within 2 seconds, which the error log
/// says. Completion handlers are called later, on a queue of their own.
public final class UNUserNotificationCenter: NSObject, Sendable {
    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var subscription: LinkSubscription?
    }

    private static let shared = UNUserNotificationCenter(Link.shared)

    /// Milliseconds that a call which returns nothing may hold its caller up.
    static let patience: Milliseconds = 2_000

    private let state = Mutex(State())
    private let link: Link
    private let completions = DispatchQueue(label: "screentime-notifications")

    init(_ link: Link) { self.link = link }

    /// The one of this process.
    public class func current() -> UNUserNotificationCenter { shared }

    /// Notifications have no views of their own here.
    public class var supportsContentExtensions: Bool { false }

    /// Kept weakly. From the first one on, answers are followed.
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

    /// Whether this app may show notifications: true when the person allowed the app to use Screen Time. In
    /// an app that was never decided about, the person is asked; an extension cannot ask.
    /// - Parameter options: all come with the one permission.
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

    /// - Returns: not determined also where nobody answers.
    public func notificationSettings() async -> UNNotificationSettings {
        do { return UNNotificationSettings(try await status(link.hello())) } catch {
            tell("reading the settings", error)
            return UNNotificationSettings(.notDetermined)
        }
    }

    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        Task { completionHandler(await notificationSettings()) }
    }

    private func status(_ hello: Hello.Answer) async throws -> UNAuthorizationStatus {
        // Who speaks for the person needs no leave.
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

    /// Shows a notification, or schedules it when it has a trigger.
    /// - Throws: ``UNError``: `notificationsNotAllowed` without permission or when nobody answers,
    ///   `notificationInvalidNoDate` for a trigger that never comes (Apple keeps it for nothing),
    ///   `notificationInvalidNoContent` for words that are missing or too long. At most 100 may be scheduled;
    ///   more are refused (Apple drops all but 64 silently).
    public func add(_ request: UNNotificationRequest) async throws {
        let params = try request.params(member: ownMember())
        do { _ = try await link.call(later: NotificationPost.self, params) } catch let error as ServiceError {
            throw request.refusal(error)
        }
    }

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

    /// In whose time zone calendar triggers are; nil, the person's, where nobody says.
    private func ownMember() -> String? {
        // The call that follows tells what is wrong with the connection.
        guard let member = try? link.hello().member, !member.isEmpty else { return nil }
        return member
    }

    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        do {
            _ = try await link.call(
                later: NotificationSetBadge.self, NotificationSetBadge.Params(count: Int64(newBadgeCount)))
        } catch let error as ServiceError { throw UNError(badge: error) }
    }

    /// - Parameter newBadgeCount: 0 takes the number away; below 0 is `UNError.badgeInputInvalid`.
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

    /// Those not shown yet: first the scheduled ones as they are due.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await records(pending: true).filter { $0.state == .scheduled || $0.state == .pending }.map {
            UNNotificationRequest($0)
        }
    }

    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        Task { completionHandler(await pendingNotificationRequests()) }
    }

    /// Those on the screen, as far as the desktop's daemon tells.
    public func deliveredNotifications() async -> [UNNotification] {
        await records(pending: false).filter { $0.state == .delivered }.map { UNNotification($0) }
    }

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

    /// Without effect on those there are not.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        clear(NotificationClear.Params(identifiers: identifiers, pending: true))
    }

    public func removeAllPendingNotificationRequests() { clear(NotificationClear.Params(pending: true)) }

    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        clear(NotificationClear.Params(identifiers: identifiers, delivered: true))
    }

    public func removeAllDeliveredNotifications() { clear(NotificationClear.Params(delivered: true)) }

    private func clear(_ params: NotificationClear.Params) {
        finish("taking notifications back", nil) {
            _ = try link.call(NotificationClear.self, params, deadline: Self.patience)
        }
    }

    // MARK: categories

    /// In the place of all of the app's; they hold for its extensions too.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let records = categories.map(\.record).sorted { $0.identifier < $1.identifier }
        finish("setting categories", nil) {
            _ = try link.call(
                NotificationSetCategories.self, NotificationSetCategories.Params(categories: records),
                deadline: Self.patience)
        }
    }

    public func notificationCategories() async -> Set<UNNotificationCategory> {
        do {
            let known = try await link.call(later: NotificationCategories.self, Nothing()).categories
            return Set(known.map { UNNotificationCategory($0) })
        } catch {
            tell("reading categories", error)
            return []
        }
    }

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

    /// Does it at once, so that what an app does in order happens in order; tells the outcome later.
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
