package import JSON
package import Units

/// Apple's UNNotificationInterruptionLevel.
package enum InterruptionLevel: String, NameEnum {
    case passive
    case active
    case timeSensitive
    case critical
}

/// When a notification is due: after a delay, or at a wall time. Exactly one of the two is set.
@Record
package struct NotificationTrigger: Record {
    /// Milliseconds after posting, above 0; at least 60000 if it repeats.
    package var after: Milliseconds?
    /// A wall time; omitted larger components match any value.
    package var components: DateComponents?
    /// IANA name of the zone of `components`; default the member's.
    @Field(.publicText) package var zone: String?
    /// True: it repeats. Default once.
    package var repeats: Bool?
}

/// Further properties of a notification that its poster can set. They are returned unchanged.
@Record
package struct NotificationDetails: Record {
    /// Category whose buttons it has (notification.setCategories).
    @Field(.publicText) package var category: String?
    /// Identifier that groups notifications.
    @Field(.publicText) package var thread: String?
    /// Data of the poster, not interpreted; up to 65536 bytes.
    @Field(.publicText) package var userInfo: String?
    /// Apple's interruption level; timeSensitive and critical are shown as critical.
    package var level: InterruptionLevel?
    /// 0 to 1; for programs that sort notifications.
    package var relevance: Double?
    /// `default`, `none`, or a name of the desktop's sound theme; default the daemon's choice.
    @Field(.publicText) package var sound: String?
    /// The client's badge count from the time it is due; 0 removes the badge.
    package var badge: Int64?
    /// Files. The first image is shown: a PNG, JPEG or GIF of up to 4 MiB and 4096 pixels in each direction.
    package var attachments: [NotificationAttachment]?
    /// True: a click on it is reported as the answer `default`.
    package var tellsOpening: Bool?
    /// True: dismissing it is reported as the answer `dismiss`.
    package var tellsDismissal: Bool?
    /// Key of the warning of a limit that it repeats (banner.isShown): while a desktop-agent shows that as a
    /// banner, this is not shown a second time, and counts as delivered.
    @Field(.publicText) package var warning: String?
    /// True: title and body are replaced when it is due, by what report.query says of the seven days before
    /// that day. A click on it opens the console's reports (page.open). Only for the person and services.
    package var weeklyReport: Bool?
}

/// A file attached to a notification.
@Record
package struct NotificationAttachment: Record {
    /// Unique within its notification.
    @Field(.publicText) package var identifier: String = ""
    /// Absolute path of the file.
    @Field(.publicText) package var path: String = ""
    /// Uniform type identifier, such as public.png.
    @Field(.publicText) package var type: String = ""
}

/// The badge count of a client.
@Record
package struct NotificationBadge: Record {
    /// Bundle id.
    @Field(.publicText) package var client: String = ""
    /// Above 0.
    package var count: Int64 = 0
}

/// A kind of notification with its buttons: Apple's UNNotificationCategory.
@Record
package struct NotificationCategory: Record {
    /// 1 to 512 bytes.
    @Field(.publicText) package var identifier: String = ""
    /// Buttons, up to 8.
    package var actions: [NotificationAction] = []
    /// Apple's intentIdentifiers; stored and returned, without effect.
    @Field(.publicText) package var intents: [String]?
    /// Bits of Apple's UNNotificationCategoryOptions.
    package var options: Int64?
    /// Apple's hiddenPreviewsBodyPlaceholder; stored and returned, without effect.
    @Field(.publicText) package var placeholder: String?
}

/// Withdraws several notifications; identifiers that do not exist are ignored.
@Method("notification.clear", of: .notifier, .write, for: .authorizedClient)
package enum NotificationClear: Method {
    /// Which notifications of the caller.
    @Record("notification.clear.params")
    package struct Params: Record {
        /// Identifiers; default all notifications of the caller.
        @Field(.publicText) package var identifiers: [String]?
        /// True: withdraw scheduled and pending ones.
        package var pending: Bool = false
        /// True: withdraw delivered ones.
        package var delivered: Bool = false
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Answers a notification as if its button had been pressed, also if no daemon shows it.
@Method("notification.answer", of: .notifier, .write, for: .person)
package enum NotificationAnswer: Method {
    /// The notification and the answer.
    @Record("notification.answer.params")
    package struct Params: Record {
        /// Bundle id of its poster; absent: the person or a service.
        package var client: String?
        /// Identifier of the notification.
        package var identifier: String = ""
        /// Key of a button, or `default`.
        package var action: String = ""
        /// Text, for an action with text input; up to 4096 bytes.
        package var text: String?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Sets the badge count of the caller.
@Method("notification.setBadge", of: .notifier, .write, for: .authorizedClient)
package enum NotificationSetBadge: Method {
    /// The new count.
    @Record("notification.setBadge.params")
    package struct Params: Record {
        /// 0 removes the badge.
        package var count: Int64 = 0
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Replaces all categories of the caller.
@Method("notification.setCategories", of: .notifier, .write, for: .authorizedClient)
package enum NotificationSetCategories: Method {
    /// The new categories.
    @Record("notification.setCategories.params")
    package struct Params: Record {
        /// The categories, up to 100.
        package var categories: [NotificationCategory] = []
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Lists the categories of the caller.
@Method("notification.categories", of: .notifier, .read, for: .authorizedClient)
package enum NotificationCategories: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The categories.
    @Record("notification.categories.result")
    package struct Result: Record {
        /// Sorted by identifier.
        package var categories: [NotificationCategory] = []
    }
}
