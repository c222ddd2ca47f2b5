import Bus
import Contract
import JSON
import ServiceKit
internal import Store

extension NotifierService {
    func answer() {
        service.write(NotificationPost.self) { [self] params, context, transaction in
            try post(params, context, transaction)
        }
        service.write(NotificationWithdraw.self) { [self] params, context, transaction in
            let key = NotificationKey(client: context.client, identifier: params.identifier)
            guard let row = try table.find(key) else {
                throw ServiceError(
                    .notFound, "there is no notification of yours by this identifier",
                    remedy: "See notification.list; the last \(NotifierLimits.recordsKept) are kept.")
            }
            try withdraw(row, transaction)
            return try transaction.written()
        }
        service.write(DarwinPost.self) { params, context, transaction in
            try PostCheck.check("name", params.name, 1...Limits.nameBytesMax)
            try transaction.emit(DarwinPosted(name: params.name, client: context.client))
            return try transaction.written()
        }
        service.read(NotificationList.self) { [self] params, context in
            let limit = params.limit ?? NotifierLimits.listedDefault
            let rows = try table.newest(
                client: context.client, pendingOnly: params.pending ?? false,
                limit: min(max(0, limit), Int64(NotifierLimits.recordsKept)))
            return NotificationList.Result(
                notifications: Self.newest(rows.map(deliverer.told)), daemonPresent: deliverer.daemonPresent)
        }
    }

    /// As many of the newest as a message may hold.
    private static func newest(_ records: [NotificationRecord]) -> [NotificationRecord] {
        var bytes = 0
        let kept = records.reversed().prefix { record in
            bytes += record.encoded().count
            return bytes <= Limits.eventBytesPerAnswerMax
        }
        return kept.reversed()
    }

    private func post(
        _ params: NotificationPost.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> NotificationPost.Result {
        try PostCheck.check(params)
        let key = NotificationKey(client: context.client, identifier: params.identifier)
        try checkRoom(key)
        let former = try table.find(key)
        let record = NotificationRecord(
            identifier: params.identifier, client: context.client, title: params.title,
            body: params.body ?? "", actions: params.actions ?? [], urgency: params.urgency ?? .normal,
            state: .pending, postedMs: service.clock.nowMs)
        let posted = StoredNotification(
            record: record, trace: context.trace.traceparent, shownAs: former?.shownAs)
        try table.replace(posted)
        try table.trim(keeping: NotifierLimits.recordsKept)
        transaction.afterCommit { [deliverer] in deliverer.flush() }
        return NotificationPost.Result(
            notification: deliverer.told(posted), sequence: try transaction.head())
    }

    private func checkRoom(_ key: NotificationKey) throws {
        let client = key.client.isEmpty ? nil : key.client
        if client != nil {
            try checkRoom(client, key, NotifierLimits.pendingPerClientMax, "pendingPerClientMax")
        }
        try checkRoom(nil, key, NotifierLimits.pendingMax, "pendingMax")
    }

    private func checkRoom(_ client: String?, _ key: NotificationKey, _ max: Int, _ name: String) throws {
        guard try table.pendingCount(client: client, without: key) >= max else { return }
        throw ServiceError(
            .limitExceeded, "\(max) notifications are pending already (\(name))",
            remedy: "Withdraw some, or start a notification daemon so that they can be shown.")
    }
}

/// What may be posted.
enum PostCheck {
    static func check(_ params: NotificationPost.Params) throws(ServiceError) {
        try check("identifier", params.identifier, 1...Limits.nameBytesMax)
        guard !params.identifier.utf8.contains(0) else {
            throw wrong("identifier holds a NUL", "Use printable text.")
        }
        try check("title", params.title, 1...Limits.textBytesMax)
        guard !DesktopNotificationsText.isBlank(params.title) else {
            throw wrong("title is blank", "Give it words.")
        }
        try check("body", params.body ?? "", 0...Limits.textBytesMax)
        let actions = params.actions ?? []
        guard actions.count <= NotifierLimits.actionsMax else {
            throw wrong("\(actions.count) actions", "Offer up to \(NotifierLimits.actionsMax).")
        }
        for action in actions {
            try check("key of an action", action.key, 1...NotifierLimits.actionBytesMax)
            try check("label of an action", action.label, 1...NotifierLimits.actionBytesMax)
            // The daemon gets it as one line and says the same line back.
            guard DesktopNotificationsText.line(action.key) == action.key,
                !DesktopNotificationsText.isBlank(action.key)
            else { throw wrong("the key of an action is blank or holds control characters", "Use a word.") }
        }
        guard Set(actions.map(\.key)).count == actions.count else {
            throw wrong("two actions have the same key", "Give each its own.")
        }
    }

    static func check(
        _ name: String, _ text: String, _ bytes: ClosedRange<Int>
    ) throws(ServiceError) {
        guard !bytes.contains(text.utf8.count) else { return }
        throw wrong(
            "the \(name) has \(text.utf8.count) bytes", "Use \(bytes.lowerBound) to \(bytes.upperBound).")
    }

    private static func wrong(_ what: String, _ remedy: String) -> ServiceError {
        ServiceError(.invalidParams, what, remedy: remedy)
    }
}
