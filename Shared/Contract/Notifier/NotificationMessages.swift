package import JSON

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
package struct NotificationAction: Record {
    package var key = ""
    package var label = ""
    package var options: Int64?
    package var inputButton: String?
    package var inputPlaceholder: String?

    package init() {}
    package init(
        key: String = "", label: String = "", options: Int64? = nil, inputButton: String? = nil,
        inputPlaceholder: String? = nil
    ) {
        self.key = key
        self.label = label
        self.options = options
        self.inputButton = inputButton
        self.inputPlaceholder = inputPlaceholder
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("key", &key, "Comes back in notification.answered.", .publicText)
        try visitor.field("label", &label, "What the button says.", .publicText)
        try visitor.field("options", &options, "Bits of Apple's UNNotificationActionOptions.")
        try visitor.field(
            "input_button", &inputButton,
            "The action takes words (notification.answer); a desktop daemon gives none.", .publicText)
        try visitor.field(
            "input_placeholder", &inputPlaceholder, "What an empty field for words shows.", .publicText)
    }
}

/// A notification and where it is.
package struct NotificationRecord: Record {
    package var identifier = ""
    package var client: String?
    package var title = ""
    package var body = ""
    package var actions: [NotificationAction] = []
    package var urgency: NotificationUrgency = .normal
    package var state: NotificationState = .pending
    package var postedMs: Int64 = 0
    package var deliveredMs: Int64?
    package var answer: String?
    package var waitingFor: String?
    package var subtitle: String?
    package var trigger: NotificationTrigger?
    package var dueMs: Int64?
    package var lateMs: Int64?
    package var details: NotificationDetails?

    package init() {}
    package init(
        identifier: String = "", client: String? = nil, title: String = "", body: String = "",
        actions: [NotificationAction] = [], urgency: NotificationUrgency = .normal,
        state: NotificationState = .pending, postedMs: Int64 = 0, deliveredMs: Int64? = nil,
        answer: String? = nil, waitingFor: String? = nil, subtitle: String? = nil,
        trigger: NotificationTrigger? = nil, dueMs: Int64? = nil, lateMs: Int64? = nil,
        details: NotificationDetails? = nil
    ) {
        self.identifier = identifier
        self.client = client
        self.title = title
        self.body = body
        self.actions = actions
        self.urgency = urgency
        self.state = state
        self.postedMs = postedMs
        self.deliveredMs = deliveredMs
        self.answer = answer
        self.waitingFor = waitingFor
        self.subtitle = subtitle
        self.trigger = trigger
        self.dueMs = dueMs
        self.lateMs = lateMs
        self.details = details
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("identifier", &identifier, "Unique; posting it again replaces it.", .publicText)
        try visitor.field(
            "client", &client, "Bundle id of who posted it; absent: the person or a service.", .publicText)
        try visitor.field("title", &title, "Literal words.", .publicText)
        try visitor.field("body", &body, "Literal words, never markup.", .publicText)
        try visitor.field("actions", &actions, "Buttons.")
        try visitor.field("urgency", &urgency, "How urgent.")
        try visitor.field("state", &state, "Where it is.")
        try visitor.field("posted_ms", &postedMs, "UTC milliseconds.")
        try visitor.field("delivered_ms", &deliveredMs, "UTC milliseconds.")
        try visitor.field("answer", &answer, "Key of the button that was pressed.", .publicText)
        try visitor.field("waiting_for", &waitingFor, "Why it is still pending, in a sentence.", .publicText)
        try visitor.field("subtitle", &subtitle, "Literal words, between title and body.", .publicText)
        try visitor.field("trigger", &trigger, "When it is due; absent: at once.")
        try visitor.field(
            "due_ms", &dueMs, "UTC milliseconds: when a scheduled one comes, or when a shown one was due.")
        try visitor.field(
            "late_ms", &lateMs, "So many milliseconds after due_ms it was noticed: the machine was off.")
        try visitor.field("details", &details, "What else the poster said of it.")
    }
}

/// Shows a notification, at once or when its trigger is due; it stays pending while no notification daemon
/// runs, and is delivered when one comes.
package enum NotificationPost: Method {
    package static let name = "notification.post"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary =
        "Shows a notification, at once or when its trigger is due; it stays pending while no notification "
        + "daemon runs, and is delivered when one comes."

    package struct Params: Record, MemberScoped {
        package static var title: String { "notification.post.params" }
        package var identifier = ""
        package var title = ""
        package var body: String?
        package var actions: [NotificationAction]?
        package var urgency: NotificationUrgency?
        package var subtitle: String?
        package var trigger: NotificationTrigger?
        package var member: String?
        package var details: NotificationDetails?

        package init() {}
        package init(
            identifier: String = "", title: String = "", body: String? = nil,
            actions: [NotificationAction]? = nil, urgency: NotificationUrgency? = nil,
            subtitle: String? = nil, trigger: NotificationTrigger? = nil, member: String? = nil,
            details: NotificationDetails? = nil
        ) {
            self.identifier = identifier
            self.title = title
            self.body = body
            self.actions = actions
            self.urgency = urgency
            self.subtitle = subtitle
            self.trigger = trigger
            self.member = member
            self.details = details
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "identifier", &identifier, "1 to 512 bytes; the same again replaces it.", .publicText)
            try visitor.field(
                "title", &title,
                "Literal words, up to 4096 bytes; may be empty if subtitle or body is not.", .publicText)
            try visitor.field("body", &body, "Literal words, up to 4096 bytes.", .publicText)
            try visitor.field("actions", &actions, "Buttons, up to 8; default those of the category.")
            try visitor.field("urgency", &urgency, "Default normal.")
            try visitor.field("subtitle", &subtitle, "Literal words, up to 1024 bytes.", .publicText)
            try visitor.field("trigger", &trigger, "When it is due; default at once.")
            try visitor.field(
                "member", &member, "In whose time zone calendar triggers are; default the person.",
                .publicText)
            try visitor.field("details", &details, "What else there is to say of it.")
        }
    }

    package struct Result: Record {
        package static var title: String { "notification.post.result" }
        package var notification = NotificationRecord()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            notification: NotificationRecord = NotificationRecord(), sequence: Int64 = 0
        ) {
            self.notification = notification
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("notification", &notification, "As committed.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// Takes a notification back: pending ones are never shown, shown ones are closed.
package enum NotificationWithdraw: Method {
    package static let name = "notification.withdraw"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Takes a notification back: pending ones are never shown, shown ones are closed."

    package struct Params: Record {
        package static var title: String { "notification.withdraw.params" }
        package var identifier = ""

        package init() {}
        package init(
            identifier: String = ""
        ) {
            self.identifier = identifier
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("identifier", &identifier, "As posted.", .publicText)
        }
    }
    package typealias Result = Written
}

/// Notifications, newest last; for a client, only its own.
package enum NotificationList: Method {
    package static let name = "notification.list"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Notifications, newest last; for a client, only its own."

    package struct Params: Record {
        package static var title: String { "notification.list.params" }
        package var pending: Bool?
        package var limit: Int64?

        package init() {}
        package init(
            pending: Bool? = nil, limit: Int64? = nil
        ) {
            self.pending = pending
            self.limit = limit
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("pending", &pending, "Only scheduled and pending ones.")
            try visitor.field("limit", &limit, "At most so many of the newest; default 100.")
        }
    }

    package struct Result: Record {
        package static var title: String { "notification.list.result" }
        package var notifications: [NotificationRecord] = []
        package var daemonPresent = false
        package var badges: [NotificationBadge]?

        package init() {}
        package init(
            notifications: [NotificationRecord] = [], daemonPresent: Bool = false,
            badges: [NotificationBadge]? = nil
        ) {
            self.notifications = notifications
            self.daemonPresent = daemonPresent
            self.badges = badges
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "notifications", &notifications, "Scheduled ones as they are due, then in order of posting.")
            try visitor.field("daemon_present", &daemonPresent, "Whether a notification daemon runs.")
            try visitor.field("badges", &badges, "Counts that clients show beside their name, none of 0.")
        }
    }
}

/// A notification is on the screen.
package struct NotificationDelivered: EventData {
    package static let type = "notification.delivered"
    package static let owner = ServiceName.notifier
    package static let summary = "A notification is on the screen."
    package var notification = NotificationRecord()

    package init() {}
    package init(
        notification: NotificationRecord = NotificationRecord()
    ) {
        self.notification = notification
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("notification", &notification, "As of now.")
    }
}

/// The person pressed a button.
package struct NotificationAnswered: EventData {
    package static let type = "notification.answered"
    package static let owner = ServiceName.notifier
    package static let summary = "The person pressed a button."
    /// The answer that says that the notification itself was chosen.
    package static let defaultAction = "default"
    /// The answer that says that it was put away.
    package static let dismissAction = "dismiss"
    package var identifier = ""
    package var action = ""
    package var client: String?
    package var text: String?
    package var notification: NotificationRecord?

    package init() {}
    package init(
        identifier: String = "", action: String = "", client: String? = nil, text: String? = nil,
        notification: NotificationRecord? = nil
    ) {
        self.identifier = identifier
        self.action = action
        self.client = client
        self.text = text
        self.notification = notification
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("identifier", &identifier, "As posted.", .publicText)
        try visitor.field(
            "action", &action,
            "Key of the button; `default`: the notification was chosen; `dismiss`: it was put away.",
            .publicText)
        try visitor.field(
            "client", &client,
            "Bundle id of who posted it, whose identifiers are its own; absent: the person or a service.",
            .publicText)
        try visitor.field(
            "text", &text, "The words the person gave, where the action takes some.", .publicText)
        try visitor.field("notification", &notification, "What was answered, where a client posted it.")
    }
}

/// A notification could not be shown and will not be tried again.
package struct NotificationFailed: EventData {
    package static let type = "notification.failed"
    package static let owner = ServiceName.notifier
    package static let summary = "A notification could not be shown and will not be tried again."
    package var notification = NotificationRecord()
    package var reason = ""

    package init() {}
    package init(
        notification: NotificationRecord = NotificationRecord(), reason: String = ""
    ) {
        self.notification = notification
        self.reason = reason
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("notification", &notification, "As of now.")
        try visitor.field("reason", &reason, "Why.", .publicText)
    }
}
