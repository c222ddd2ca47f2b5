import Contract

/// Validates postings.
enum PostCheck {
    static func check(_ params: NotificationPost.Params) throws(ServiceError) {
        try VisibleText.checkName(params.identifier, "the identifier")
        try check("title", params.title, 0...Limits.textBytesMax)
        try check("subtitle", params.subtitle ?? "", 0...NotifierLimits.subtitleBytesMax)
        try check("body", params.body ?? "", 0...Limits.textBytesMax)
        let words = [params.title, params.subtitle ?? "", params.body ?? ""]
        guard !words.allSatisfy(DesktopNotificationsText.isBlank) else {
            throw wrong("title, subtitle and body are blank", "Add text to one of them.")
        }
        try check(params.actions ?? [])
        if let details = params.details { try check(details) }
        if let trigger = params.trigger { try check(trigger) }
    }

    /// A client would read from it what it was not approved for.
    static func checkOfClient(_ params: NotificationPost.Params) throws(ServiceError) {
        guard params.details?.weeklyReport == nil else {
            throw ServiceError(
                .accessDenied, "weekly_report is for the person and services, not for apps",
                remedy: "Leave it out, and use report.query.")
        }
    }

    static func check(_ categories: [NotificationCategory]) throws(ServiceError) {
        guard categories.count <= NotifierLimits.categoriesMax else {
            throw wrong("\(categories.count) categories", "Use up to \(NotifierLimits.categoriesMax).")
        }
        for category in categories {
            try checkName("identifier of a category", category.identifier)
            try check(category.actions)
        }
    }

    private static func check(_ actions: [NotificationAction]) throws(ServiceError) {
        guard actions.count <= NotifierLimits.actionsMax else {
            throw wrong("\(actions.count) actions", "Offer up to \(NotifierLimits.actionsMax).")
        }
        for action in actions {
            try check("key of an action", action.key, 1...NotifierLimits.actionBytesMax)
            try check("label of an action", action.label, 1...NotifierLimits.actionBytesMax)
            // The daemon receives it as one line and returns the same line.
            guard DesktopNotificationsText.line(action.key) == action.key,
                !DesktopNotificationsText.isBlank(action.key)
            else { throw wrong("the key of an action is blank or holds control characters", "Use a word.") }
        }
        guard Set(actions.map(\.key)).count == actions.count else {
            throw wrong("two actions have the same key", "Use a different key for each.")
        }
    }

    private static func check(_ details: NotificationDetails) throws(ServiceError) {
        try checkName("category", details.category ?? "")
        try checkName("thread", details.thread ?? "")
        try checkName("key of the warning", details.warning ?? "")
        try check("user_info", details.userInfo ?? "", 0...NotifierLimits.userInfoBytesMax)
        try checkName("sound", details.sound ?? "")
        guard details.sound?.contains("/") != true else {
            throw wrong("the sound is a path", "Use a name of the desktop's sound theme.")
        }
        let attachments = details.attachments ?? []
        guard attachments.count <= NotifierLimits.attachmentsMax else {
            throw wrong(
                "\(attachments.count) attachments", "Attach up to \(NotifierLimits.attachmentsMax).")
        }
        for attachment in attachments {
            try check("path of an attachment", attachment.path, 1...Limits.textBytesMax)
            let parts = attachment.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            guard attachment.path.hasPrefix("/"), !parts.contains(where: { ["", ".", ".."].contains($0) })
            else {
                throw wrong(
                    "the path of an attachment is not absolute, or contains '.', '..' or an empty part",
                    "Start it with a slash, and remove such parts.")
            }
        }
        guard details.badge ?? 0 >= 0 else { throw wrong("the badge is below 0", "Use 0 for none.") }
    }

    private static func check(_ trigger: NotificationTrigger) throws(ServiceError) {
        guard (trigger.after == nil) != (trigger.components == nil) else {
            throw wrong("the trigger needs exactly one of after_ms and components", "Send one of them.")
        }
        guard let after = trigger.after else { return }
        let repeats = trigger.repeats ?? false
        let least = repeats ? NotifierLimits.repeatMin : 1
        guard (least...NotifierLimits.afterMax).contains(after) else {
            throw wrong(
                "after_ms is \(after)\(repeats ? " and repeats" : "")",
                "Use \(least) to \(NotifierLimits.afterMax).")
        }
    }

    /// An empty name is allowed: it is Apple's default for all of these.
    private static func checkName(_ name: String, _ text: String) throws(ServiceError) {
        if !text.isEmpty { try VisibleText.checkName(text, "the \(name)") }
    }

    private static func check(
        _ name: String, _ text: String, _ bytes: ClosedRange<Int>
    ) throws(ServiceError) {
        guard !bytes.contains(text.utf8.count) else { return }
        throw wrong(
            "the \(name) has \(text.utf8.count) bytes", "Use \(bytes.lowerBound) to \(bytes.upperBound).")
    }

    static func wrong(_ what: String, _ remedy: String) -> ServiceError {
        ServiceError(.invalidParams, what, remedy: remedy)
    }
}
