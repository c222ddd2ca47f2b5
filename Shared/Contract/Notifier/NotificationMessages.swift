package import JSON
package import Units

/// As in the Desktop Notifications Specification.
package enum NotificationUrgency: String, NameEnum {
    case low
    case normal
    case critical
}

/// Where a notification is.
package enum NotificationState: String, NameEnum {
    case scheduled
    case pending
    case delivered
    case answered
    case closed
    case failed
}

/// A button.
@Record
package struct NotificationAction: Record {
    /// Comes back in notification.answered.
    @Field(.publicText) package var key: String = ""
    /// What the button says.
    @Field(.publicText) package var label: String = ""
    /// Bits of Apple's UNNotificationActionOptions.
    package var options: Int64?
    /// The action takes words (notification.answer); a desktop daemon gives none.
    @Field(.publicText) package var inputButton: String?
    /// What an empty field for words shows.
    @Field(.publicText) package var inputPlaceholder: String?
}

/// A notification and where it is.
@Record
package struct NotificationRecord: Record {
    /// Unique; posting it again replaces it.
    @Field(.publicText) package var identifier: String = ""
    /// Bundle id of who posted it; absent: the person or a service.
    @Field(.publicText) package var client: String?
    /// Literal words.
    @Field(.publicText) package var title: String = ""
    /// Literal words, never markup.
    @Field(.publicText) package var body: String = ""
    /// Buttons.
    package var actions: [NotificationAction] = []
    /// How urgent.
    package var urgency: NotificationUrgency = .normal
    /// Where it is.
    package var state: NotificationState = .pending
    /// UTC milliseconds.
    package var posted: Instant = 0
    /// UTC milliseconds.
    package var delivered: Instant?
    /// Key of the button that was pressed.
    @Field(.publicText) package var answer: String?
    /// Why it is still pending, in a sentence.
    @Field(.publicText) package var waitingFor: String?
    /// Literal words, between title and body.
    @Field(.publicText) package var subtitle: String?
    /// When it is due; absent: at once.
    package var trigger: NotificationTrigger?
    /// UTC milliseconds: when a scheduled one comes, or when a shown one was due.
    package var due: Instant?
    /// So many milliseconds after due_ms it was noticed: the machine was off.
    package var late: Milliseconds?
    /// What else the poster said of it.
    package var details: NotificationDetails?
}

/// Shows a notification, at once or when its trigger is due; it stays pending while no notification daemon
/// runs, and is delivered when one comes.
@Method("notification.post", of: .notifier, .write, for: .authorizedClient)
package enum NotificationPost: Method {
    @Record("notification.post.params")
    package struct Params: Record, MemberScoped {
        /// 1 to 512 bytes; the same again replaces it.
        @Field(.publicText) package var identifier: String = ""
        /// Literal words, up to 4096 bytes; may be empty if subtitle or body is not.
        @Field(.publicText) package var title: String = ""
        /// Literal words, up to 4096 bytes.
        @Field(.publicText) package var body: String?
        /// Buttons, up to 8; default those of the category.
        package var actions: [NotificationAction]?
        /// Default normal.
        package var urgency: NotificationUrgency?
        /// Literal words, up to 1024 bytes.
        @Field(.publicText) package var subtitle: String?
        /// When it is due; default at once.
        package var trigger: NotificationTrigger?
        /// In whose time zone calendar triggers are; default the person.
        @Field(.publicText) package var member: String?
        /// What else there is to say of it.
        package var details: NotificationDetails?
    }

    @Record("notification.post.result")
    package struct Result: Record {
        /// As committed.
        package var notification: NotificationRecord = NotificationRecord()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Takes a notification back: pending ones are never shown, shown ones are closed.
@Method("notification.withdraw", of: .notifier, .write, for: .authorizedClient)
package enum NotificationWithdraw: Method {
    @Record("notification.withdraw.params")
    package struct Params: Record {
        /// As posted.
        @Field(.publicText) package var identifier: String = ""
    }
    package typealias Result = Written
}

/// Notifications, newest last; for a client, only its own.
@Method("notification.list", of: .notifier, .read, for: .authorizedClient)
package enum NotificationList: Method {
    @Record("notification.list.params")
    package struct Params: Record {
        /// Only scheduled and pending ones.
        package var pending: Bool?
        /// At most so many of the newest; default 100.
        package var limit: Int64?
    }

    @Record("notification.list.result")
    package struct Result: Record {
        /// Scheduled ones as they are due, then in order of posting.
        package var notifications: [NotificationRecord] = []
        /// Whether a notification daemon runs.
        package var daemonPresent: Bool = false
        /// Counts that clients show beside their name, none of 0.
        package var badges: [NotificationBadge]?
    }
}

/// A notification is on the screen.
@Event("notification.delivered", of: .notifier)
package struct NotificationDelivered: EventData {
    /// As of now.
    package var notification: NotificationRecord = NotificationRecord()
}

/// The person pressed a button.
@Event("notification.answered", of: .notifier)
package struct NotificationAnswered: EventData {
    /// As posted.
    @Field(.publicText) package var identifier: String = ""
    /// Key of the button; `default`: the notification was chosen; `dismiss`: it was put away.
    @Field(.publicText) package var action: String = ""
    /// Bundle id of who posted it, whose identifiers are its own; absent: the person or a service.
    @Field(.publicText) package var client: String?
    /// The words the person gave, where the action takes some.
    @Field(.publicText) package var text: String?
    /// What was answered, where a client posted it.
    package var notification: NotificationRecord?

    /// The answer that says that the notification itself was chosen.
    package static let defaultAction = "default"
    /// The answer that says that it was put away.
    package static let dismissAction = "dismiss"
}

/// A notification could not be shown and will not be tried again.
@Event("notification.failed", of: .notifier)
package struct NotificationFailed: EventData {
    /// As of now.
    package var notification: NotificationRecord = NotificationRecord()
    /// Why.
    @Field(.publicText) package var reason: String = ""
}
