internal import Contract
public import Foundation

/// A button of a notification.
open class UNNotificationAction: NSObject, NSCopying {
    /// Returned in the response.
    public let identifier: String
    /// The text of the button.
    public let title: String
    /// Stored; without effect on Linux.
    public let options: UNNotificationActionOptions

    /// - Parameter identifier: unique within the category.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationAction).map { $0.record == record } ?? false
    }
    open override var hash: Int { identifier.hashValue }

    var record: NotificationAction {
        NotificationAction(
            key: identifier, label: title, options: options.isEmpty ? nil : Int64(options.rawValue))
    }

    static func make(_ record: NotificationAction) -> UNNotificationAction {
        let options = UNNotificationActionOptions(rawValue: UInt(record.options ?? 0))
        guard let button = record.inputButton else {
            return UNNotificationAction(identifier: record.key, title: record.label, options: options)
        }
        return UNTextInputNotificationAction(
            identifier: record.key, title: record.label, options: options, textInputButtonTitle: button,
            textInputPlaceholder: record.inputPlaceholder ?? "")
    }
}

/// A button that asks for text. See ``UNTextInputNotificationResponse`` for how text is entered.
open class UNTextInputNotificationAction: UNNotificationAction {
    /// Stored for programs that show a text field.
    public let textInputButtonTitle: String
    /// Stored for programs that show a text field.
    public let textInputPlaceholder: String

    /// - Parameter textInputButtonTitle: stored; notification daemons show no text field.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options)
    }

    override var record: NotificationAction {
        var record = super.record
        record.inputButton = textInputButtonTitle
        record.inputPlaceholder = textInputPlaceholder.isEmpty ? nil : textInputPlaceholder
        return record
    }
}

/// The buttons of the notifications that name the category. At most 8.
open class UNNotificationCategory: NSObject, NSCopying {
    /// Unique within the app; notifications refer to it.
    public let identifier: String
    /// The buttons, in order.
    public let actions: [UNNotificationAction]
    /// Stored; there are no intents on Linux.
    public let intentIdentifiers: [String]
    /// Stored; the desktop decides what a locked screen shows.
    public let hiddenPreviewsBodyPlaceholder: String
    /// Only `customDismissAction` has an effect.
    public let options: UNNotificationCategoryOptions

    /// - Parameter actions: at most 8.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.options = options
    }

    /// The same without a placeholder.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: "", options: options)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory).map { $0.record == record } ?? false
    }
    open override var hash: Int { identifier.hashValue }

    var record: NotificationCategory {
        var record = NotificationCategory()
        record.identifier = identifier
        record.actions = actions.map(\.record)
        record.intents = intentIdentifiers.isEmpty ? nil : intentIdentifiers
        record.options = options.isEmpty ? nil : Int64(options.rawValue)
        record.placeholder = hiddenPreviewsBodyPlaceholder.isEmpty ? nil : hiddenPreviewsBodyPlaceholder
        return record
    }

    convenience init(_ record: NotificationCategory) {
        self.init(
            identifier: record.identifier, actions: record.actions.map { .make($0) },
            intentIdentifiers: record.intents ?? [],
            hiddenPreviewsBodyPlaceholder: record.placeholder ?? "",
            options: UNNotificationCategoryOptions(rawValue: UInt(record.options ?? 0)))
    }
}
