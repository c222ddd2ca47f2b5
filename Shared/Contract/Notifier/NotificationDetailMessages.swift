package import JSON

/// Apple's UNNotificationInterruptionLevel.
package enum InterruptionLevel: String, NameEnum {
    case passive
    case active
    case timeSensitive
    case critical
}

/// When a notification is due: after a while, or when the calendar fits. One of the two.
package struct NotificationTrigger: Record {
    package var afterMs: Int64?
    package var components: DateComponents?
    package var zone: String?
    package var repeats: Bool?

    package init() {}
    package init(
        afterMs: Int64? = nil, components: DateComponents? = nil, zone: String? = nil, repeats: Bool? = nil
    ) {
        self.afterMs = afterMs
        self.components = components
        self.zone = zone
        self.repeats = repeats
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "after_ms", &afterMs, "Milliseconds from the posting, above 0; from 60000 if it repeats.")
        try visitor.field("components", &components, "A wall time: larger parts left out fit everything.")
        try visitor.field(
            "zone", &zone, "IANA name of the zone of `components`; default the member's.", .publicText)
        try visitor.field("repeats", &repeats, "Again and again; default once.")
    }
}

/// What a poster may say of a notification besides its words. It all comes back as it was.
package struct NotificationDetails: Record {
    package var category: String?
    package var thread: String?
    package var userInfo: String?
    package var level: InterruptionLevel?
    package var relevance: Double?
    package var sound: String?
    package var badge: Int64?
    package var attachments: [NotificationAttachment]?
    package var tellsOpening: Bool?
    package var tellsDismissal: Bool?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "category", &category, "Whose buttons it has (notification.setCategories).", .publicText)
        try visitor.field("thread", &thread, "Groups notifications.", .publicText)
        try visitor.field(
            "user_info", &userInfo, "Opaque text of the poster; up to 65536 bytes.", .publicText)
        try visitor.field("level", &level, "timeSensitive and critical ones are shown as critical.")
        try visitor.field("relevance", &relevance, "0 to 1; for whoever sorts.")
        try visitor.field(
            "sound", &sound,
            "`default`, `none`, or a name of the desktop's sound theme; default the daemon's.", .publicText)
        try visitor.field("badge", &badge, "The client's badge from when it is due; 0 takes it away.")
        try visitor.field(
            "attachments", &attachments,
            "The first image is shown: a PNG, JPEG or GIF of up to 4 MiB and 4096 pixels each way.")
        try visitor.field(
            "tells_opening", &tellsOpening, "A click on it is told as the answer `default`.")
        try visitor.field("tells_dismissal", &tellsDismissal, "Putting it away is told as `dismiss`.")
    }
}

/// A file that goes with a notification.
package struct NotificationAttachment: Record {
    package var identifier = ""
    package var path = ""
    package var type = ""

    package init() {}
    package init(identifier: String, path: String, type: String) {
        self.identifier = identifier
        self.path = path
        self.type = type
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("identifier", &identifier, "Unique in its notification.", .publicText)
        try visitor.field("path", &path, "Absolute path of the file.", .publicText)
        try visitor.field("type", &type, "Uniform type identifier, such as public.png.", .publicText)
    }
}

/// A number beside a client's name.
package struct NotificationBadge: Record {
    package var client = ""
    package var count: Int64 = 0

    package init() {}
    package init(client: String, count: Int64) {
        self.client = client
        self.count = count
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id.", .publicText)
        try visitor.field("count", &count, "Above 0.")
    }
}

/// Buttons that notifications of one kind have: Apple's UNNotificationCategory.
package struct NotificationCategory: Record {
    package var identifier = ""
    package var actions: [NotificationAction] = []
    package var intents: [String]?
    package var options: Int64?
    package var placeholder: String?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("identifier", &identifier, "1 to 512 bytes.", .publicText)
        try visitor.field("actions", &actions, "Buttons, up to 8.")
        try visitor.field("intents", &intents, "Passed through.", .publicText)
        try visitor.field("options", &options, "Bits of Apple's UNNotificationCategoryOptions.")
        try visitor.field("placeholder", &placeholder, "Passed through.", .publicText)
    }
}

/// Takes several notifications back, whether there are any or not.
package enum NotificationClear: Method {
    package static let name = "notification.clear"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Takes several notifications back, whether there are any or not."

    package struct Params: Record {
        package static var title: String { "notification.clear.params" }
        package var identifiers: [String]?
        package var pending = false
        package var delivered = false

        package init() {}
        package init(identifiers: [String]? = nil, pending: Bool = false, delivered: Bool = false) {
            self.identifiers = identifiers
            self.pending = pending
            self.delivered = delivered
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "identifiers", &identifiers, "As posted; default all of the caller.", .publicText)
            try visitor.field("pending", &pending, "Scheduled and pending ones.")
            try visitor.field("delivered", &delivered, "Those on the screen.")
        }
    }
    package typealias Result = Written
}

/// Answers a notification as if its button were pressed, also where no daemon shows it.
package enum NotificationAnswer: Method {
    package static let name = "notification.answer"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary =
        "Answers a notification as if its button were pressed, also where no daemon shows it."

    package struct Params: Record {
        package static var title: String { "notification.answer.params" }
        package var client: String?
        package var identifier = ""
        package var action = ""
        package var text: String?

        package init() {}
        package init(client: String?, identifier: String, action: String, text: String? = nil) {
            self.client = client
            self.identifier = identifier
            self.action = action
            self.text = text
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Who posted it; absent: the person or a service.")
            try visitor.field("identifier", &identifier, "As posted.")
            try visitor.field("action", &action, "Key of a button, or `default`.")
            try visitor.field("text", &text, "Words, for an action that takes some; up to 4096 bytes.")
        }
    }
    package typealias Result = Written
}

/// Sets the number beside the caller's name.
package enum NotificationSetBadge: Method {
    package static let name = "notification.setBadge"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Sets the number beside the caller's name."

    package struct Params: Record {
        package static var title: String { "notification.setBadge.params" }
        package var count: Int64 = 0

        package init() {}
        package init(count: Int64) { self.count = count }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("count", &count, "0 takes it away.")
        }
    }
    package typealias Result = Written
}

/// Replaces the caller's categories.
package enum NotificationSetCategories: Method {
    package static let name = "notification.setCategories"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Replaces the caller's categories."

    package struct Params: Record {
        package static var title: String { "notification.setCategories.params" }
        package var categories: [NotificationCategory] = []

        package init() {}
        package init(categories: [NotificationCategory]) { self.categories = categories }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("categories", &categories, "All of them, up to 100.")
        }
    }
    package typealias Result = Written
}

/// The caller's categories.
package enum NotificationCategories: Method {
    package static let name = "notification.categories"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The caller's categories."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "notification.categories.result" }
        package var categories: [NotificationCategory] = []

        package init() {}
        package init(categories: [NotificationCategory]) { self.categories = categories }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("categories", &categories, "By identifier.")
        }
    }
}
