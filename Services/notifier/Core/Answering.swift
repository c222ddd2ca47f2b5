import Bus
import Contract
import JSON
import ServiceKit
import Store

extension NotifierService {
    package func registerMethods() {
        service.write(NotificationPost.self) { [self] params, context, transaction in
            try post(params, context, transaction)
        }
        service.write(NotificationWithdraw.self) { [self] params, context, transaction in
            let key = NotificationKey(client: context.client, identifier: params.identifier)
            let isScheduled = try scheduler.table.find(key) != nil
            let row = try table.find(key)
            guard isScheduled || row != nil else {
                throw ServiceError(
                    .notFound, "you have no notification with this identifier",
                    remedy: "See notification.list; the last \(NotifierLimits.recordsKept) are kept.")
            }
            if isScheduled { try unschedule(key, transaction) }
            if let row { try withdraw(row, transaction) }
            return try transaction.written()
        }
        service.write(DarwinPost.self) { params, context, transaction in
            try VisibleText.checkName(params.name, "the name")
            try transaction.emit(DarwinPosted(name: params.name, client: context.client))
            return try transaction.written()
        }
        service.write(NotificationClear.self) { [self] params, context, transaction in
            try clear(params, context.client ?? "", transaction)
            return try transaction.written()
        }
        service.read(NotificationList.self) { [self] params, context in try list(params, context) }
        answerOfClients()
    }

    /// Methods that do not concern a single notification, and the person's answers.
    private func answerOfClients() {
        service.write(NotificationAnswer.self) { [self] params, _, transaction in
            try answer(params, transaction)
            return try transaction.written()
        }
        service.write(NotificationSetBadge.self) { [self] params, context, transaction in
            guard params.count >= 0 else {
                throw PostCheck.wrong("the badge is below 0", "Use 0 for none.")
            }
            try scheduler.clients.setBadge(params.count, of: context.client ?? "")
            return try transaction.written()
        }
        service.write(NotificationSetCategories.self) { [self] params, context, transaction in
            try PostCheck.check(params.categories)
            try scheduler.clients.setCategories(params.categories, of: context.client ?? "")
            return try transaction.written()
        }
        service.write(ChannelSet.self) { [self] params, _, transaction in
            let secret = try outbox.set(params, transaction)
            // A report that waits for a daemon may leave now.
            transaction.afterCommit { [deliverer] in deliverer.flush() }
            return ChannelSet.Result(secret: secret, sequence: try transaction.head())
        }
        service.read(ChannelList.self) { [self] _, _ in ChannelList.Result(channels: try outbox.list()) }
        service.read(NotificationCategories.self) { [self] _, context in
            NotificationCategories.Result(
                categories: try scheduler.clients.categories(of: context.client ?? ""))
        }
    }

    // MARK: listing

    private func list(
        _ params: NotificationList.Params, _ context: RequestContext
    ) throws -> NotificationList.Result {
        let asked = params.limit ?? NotifierLimits.listedDefault
        let most = min(max(0, asked), Int64(NotifierLimits.recordsKept))
        let scheduled = try scheduler.table.all(client: context.client).prefix(Int(most)).map(\.record)
        let rows = try table.newest(
            client: context.client, pendingOnly: params.pending ?? false, limit: most)
        let badges = try scheduler.clients.badges().filter {
            context.client == nil || $0.client == context.client
        }
        return NotificationList.Result(
            notifications: Self.newest(scheduled + rows.map(deliverer.told)),
            daemonPresent: deliverer.daemonPresent, badges: badges.isEmpty ? nil : badges)
    }

    /// As many of the newest as fit into a message.
    private static func newest(_ records: [NotificationRecord]) -> [NotificationRecord] {
        var bytes = 0
        let kept = records.reversed().prefix { record in
            bytes += record.encoded().count
            return bytes <= Limits.eventBytesPerAnswerMax
        }
        return kept.reversed()
    }

    // MARK: posting

    private func post(
        _ params: NotificationPost.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> NotificationPost.Result {
        try PostCheck.check(params)
        if context.client != nil { try PostCheck.checkOfClient(params) }
        let key = NotificationKey(client: context.client, identifier: params.identifier)
        let member = service.member(params.member)
        let now = service.clock.now
        let category = try params.details?.category.flatMap {
            try scheduler.clients.category($0, of: key.client)
        }
        var record = NotificationRecord(
            identifier: params.identifier, client: context.client, title: params.title,
            body: params.body ?? "", actions: params.actions ?? category?.actions ?? [],
            urgency: params.urgency ?? params.details?.level?.urgency ?? .normal, state: .pending,
            posted: now, subtitle: params.subtitle, trigger: params.trigger, details: params.details)
        // An app's are shown to the person, whomever it planned them for.
        if context.client == nil { record.member = params.member }
        if category?.tellsDismissal ?? false { record.details?.tellsDismissal = true }
        let trace = context.trace.traceparent
        try unschedule(key, transaction)
        guard let trigger = params.trigger else {
            try checkRoom(key)
            try scheduler.post(record, trace: trace, transaction)
            guard let posted = try table.find(key) else {
                throw ServiceError(.internalError, "a posting was not stored", remedy: "This is a bug.")
            }
            return NotificationPost.Result(
                notification: deliverer.told(posted), sequence: try transaction.head())
        }
        try checkSchedule(key)
        guard let due = try scheduler.next(of: trigger, member: member, posted: now, after: now) else {
            throw PostCheck.wrong("the trigger is in the past", "Use a later one.")
        }
        record.state = .scheduled
        record.due = due
        try scheduler.table.replace(ScheduledNotification(member: member, record: record, trace: trace))
        transaction.afterCommit { [scheduler] in scheduler.timer.arm() }
        return NotificationPost.Result(notification: record, sequence: try transaction.head())
    }

    private func checkRoom(_ key: NotificationKey) throws {
        if !key.client.isEmpty {
            try checkRoom(
                "pending", try table.pendingCount(client: key.client, without: key),
                NotifierLimits.pendingPerClientMax, "pendingPerClientMax")
        }
        try checkRoom(
            "pending", try table.pendingCount(client: nil, without: key), NotifierLimits.pendingMax,
            "pendingMax")
    }

    private func checkSchedule(_ key: NotificationKey) throws {
        if !key.client.isEmpty {
            try checkRoom(
                "scheduled", try scheduler.table.count(client: key.client, without: key),
                NotifierLimits.scheduledPerClientMax, "scheduledPerClientMax")
        }
        try checkRoom(
            "scheduled", try scheduler.table.count(client: nil, without: key), NotifierLimits.scheduledMax,
            "scheduledMax")
    }

    private func checkRoom(_ what: String, _ count: Int, _ max: Int, _ name: String) throws {
        guard count >= max else { return }
        throw ServiceError(
            .limitExceeded, "\(max) notifications are \(what) already (\(name))",
            remedy: "Withdraw some, or start a notification daemon so that they can be shown.")
    }

    // MARK: withdrawing

    func unschedule(_ key: NotificationKey, _ transaction: Transaction) throws {
        try scheduler.table.remove(key)
        transaction.afterCommit { [scheduler] in scheduler.timer.arm() }
    }

    private func clear(
        _ params: NotificationClear.Params, _ client: String, _ transaction: Transaction
    ) throws {
        let names = params.identifiers.map(Set.init)
        func isIncluded(_ key: NotificationKey) -> Bool {
            key.client == client && names.map { $0.contains(key.identifier) } ?? true
        }
        if params.pending {
            for row in try scheduler.table.all(client: client) where isIncluded(row.key) {
                try unschedule(row.key, transaction)
            }
            for row in try table.all(.pending) where isIncluded(row.key) { try withdraw(row, transaction) }
        }
        guard params.delivered else { return }
        for row in try table.all(.delivered) where isIncluded(row.key) { try withdraw(row, transaction) }
    }

    // MARK: answering

    private func answer(_ params: NotificationAnswer.Params, _ transaction: Transaction) throws {
        let key = NotificationKey(client: params.client, identifier: params.identifier)
        guard var row = try table.find(key), row.isOpen else {
            throw ServiceError(
                .notFound, "no notification with this identifier waits for an answer",
                remedy: "See `screentime notifications`.")
        }
        guard row.takes(params.action) else {
            let offered = row.record.actions.map(\.key).joined(separator: ", ")
            throw PostCheck.wrong(
                "it has no such action",
                offered.isEmpty ? "It offers none." : "It offers \(offered).")
        }
        guard (params.text ?? "").utf8.count <= Limits.textBytesMax else {
            throw PostCheck.wrong("the text is too long", "Use up to \(Limits.textBytesMax) bytes.")
        }
        try deliverer.record(&row, answer: params.action, text: params.text, transaction)
        try table.update(row)
    }
}

extension StoredNotification {
    var isOpen: Bool { record.state == .delivered || record.state == .pending }

    /// Whether `action` is a possible answer.
    func takes(_ action: String) -> Bool {
        let isDefault = action == NotificationAnswered.defaultAction && record.details?.tellsOpening ?? false
        return isDefault || record.actions.contains { $0.key == action }
    }
}

extension NotificationCategory {
    /// Apple's UNNotificationCategoryOptions.customDismissAction.
    var tellsDismissal: Bool { (options ?? 0) & 1 != 0 }
}

extension InterruptionLevel {
    /// The urgency hint for the daemon.
    var urgency: NotificationUrgency {
        switch self {
        case .passive: .low
        case .active: .normal
        case .timeSensitive, .critical: .critical
        }
    }
}
