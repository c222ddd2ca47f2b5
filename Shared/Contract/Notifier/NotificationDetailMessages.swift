package import JSON
package import Units

/// Apple's UNNotificationInterruptionLevel.
package enum InterruptionLevel: String, NameEnum {
    case passive
    case active
    case timeSensitive
    case critical
}

/// When a notification is due: after a while, or when the calendar fits. One of the two.
@Record
package struct NotificationTrigger: Record {
    /// Milliseconds from the posting, above 0; from 60000 if it repeats.
    package var after: Milliseconds?
    /// A wall time: larger parts left out fit everything.
    package var components: DateComponents?
    /// IANA name of the zone of `components`; default the member's.
    @Field(.publicText) package var zone: String?
    /// Again and again; default once.
    package var repeats: Bool?
}

/// What a poster may say of a notification besides its words. It all comes back as it was.
@Record
package struct NotificationDetails: Record {
    /// Whose buttons it has (notification.setCategories).
    @Field(.publicText) package var category: String?
    /// Groups notifications.
    @Field(.publicText) package var thread: String?
    /// Opaque text of the poster; up to 65536 bytes.
    @Field(.publicText) package var userInfo: String?
    /// timeSensitive and critical ones are shown as critical.
    package var level: InterruptionLevel?
    /// 0 to 1; for whoever sorts.
    package var relevance: Double?
    /// `default`, `none`, or a name of the desktop's sound theme; default the daemon's.
    @Field(.publicText) package var sound: String?
    /// The client's badge from when it is due; 0 takes it away.
    package var badge: Int64?
    /// The first image is shown: a PNG, JPEG or GIF of up to 4 MiB and 4096 pixels each way.
    package var attachments: [NotificationAttachment]?
    /// A click on it is told as the answer `default`.
    package var tellsOpening: Bool?
    /// Putting it away is told as `dismiss`.
    package var tellsDismissal: Bool?
}

/// A file that goes with a notification.
@Record
package struct NotificationAttachment: Record {
    /// Unique in its notification.
    @Field(.publicText) package var identifier: String = ""
    /// Absolute path of the file.
    @Field(.publicText) package var path: String = ""
    /// Uniform type identifier, such as public.png.
    @Field(.publicText) package var type: String = ""
}

/// A number beside a client's name.
@Record
package struct NotificationBadge: Record {
    /// Bundle id.
    @Field(.publicText) package var client: String = ""
    /// Above 0.
    package var count: Int64 = 0
}

/// Buttons that notifications of one kind have: Apple's UNNotificationCategory.
@Record
package struct NotificationCategory: Record {
    /// 1 to 512 bytes.
    @Field(.publicText) package var identifier: String = ""
    /// Buttons, up to 8.
    package var actions: [NotificationAction] = []
    /// Passed through.
    @Field(.publicText) package var intents: [String]?
    /// Bits of Apple's UNNotificationCategoryOptions.
    package var options: Int64?
    /// Passed through.
    @Field(.publicText) package var placeholder: String?
}

/// Takes several notifications back, whether there are any or not.
@Method("notification.clear", of: .notifier, .write, for: .authorizedClient)
package enum NotificationClear: Method {
    @Record("notification.clear.params")
    package struct Params: Record {
        /// As posted; default all of the caller.
        @Field(.publicText) package var identifiers: [String]?
        /// Scheduled and pending ones.
        package var pending: Bool = false
        /// Those on the screen.
        package var delivered: Bool = false
    }
    package typealias Result = Written
}

/// Answers a notification as if its button were pressed, also where no daemon shows it.
@Method("notification.answer", of: .notifier, .write, for: .person)
package enum NotificationAnswer: Method {
    @Record("notification.answer.params")
    package struct Params: Record {
        /// Who posted it; absent: the person or a service.
        package var client: String?
        /// As posted.
        package var identifier: String = ""
        /// Key of a button, or `default`.
        package var action: String = ""
        /// Words, for an action that takes some; up to 4096 bytes.
        package var text: String?
    }
    package typealias Result = Written
}

/// Sets the number beside the caller's name.
@Method("notification.setBadge", of: .notifier, .write, for: .authorizedClient)
package enum NotificationSetBadge: Method {
    @Record("notification.setBadge.params")
    package struct Params: Record {
        /// 0 takes it away.
        package var count: Int64 = 0
    }
    package typealias Result = Written
}

/// Replaces the caller's categories.
@Method("notification.setCategories", of: .notifier, .write, for: .authorizedClient)
package enum NotificationSetCategories: Method {
    @Record("notification.setCategories.params")
    package struct Params: Record {
        /// All of them, up to 100.
        package var categories: [NotificationCategory] = []
    }
    package typealias Result = Written
}

/// The caller's categories.
@Method("notification.categories", of: .notifier, .read, for: .authorizedClient)
package enum NotificationCategories: Method {
    package typealias Params = Nothing

    @Record("notification.categories.result")
    package struct Result: Record {
        /// By identifier.
        package var categories: [NotificationCategory] = []
    }
}
