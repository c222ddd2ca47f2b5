internal import Contract
public import Foundation

/// The content of a notification. Use ``UNMutableNotificationContent`` to create one.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    struct Fields {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var attachments: [UNNotificationAttachment] = []
    }

    var fields: Fields

    /// Empty content, which cannot be posted.
    public override init() { fields = Fields() }

    init(_ fields: Fields) { self.fields = fields }

    /// At most 4096 bytes. Shown as the summary; if it is blank, the subtitle or the body is.
    open var title: String { fields.title }
    /// At most 1024 bytes. The first line below the title.
    open var subtitle: String { fields.subtitle }
    /// At most 4096 bytes.
    open var body: String { fields.body }
    /// The app's badge once the notification is due. 0 removes it, nil leaves it unchanged.
    open var badge: NSNumber? { fields.badge }
    /// If nil, the notification is silent.
    open var sound: UNNotificationSound? { fields.sound }
    /// A property list of at most 48 KiB. Returned with the response.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// The category whose buttons are shown.
    open var categoryIdentifier: String { fields.categoryIdentifier }
    /// Stored; the desktop does not group notifications by it.
    open var threadIdentifier: String { fields.threadIdentifier }
    /// Mapped to the urgency of the desktop's daemon.
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    /// 0 to 1. Stored and listed; the desktop does not sort by it.
    open var relevanceScore: Double { fields.relevanceScore }
    /// The first image is shown if the daemon supports images.
    open var attachments: [UNNotificationAttachment] { fields.attachments }

    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }

    /// A ``UNMutableNotificationContent`` with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.fields = fields
        return copy
    }
}

/// Content whose properties can be set. Requests copy it.
open class UNMutableNotificationContent: UNNotificationContent {
    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }
    open override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }
    open override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }
    open override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }
    open override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }
    open override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }
    open override var threadIdentifier: String {
        get { fields.threadIdentifier }
        set { fields.threadIdentifier = newValue }
    }
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.interruptionLevel }
        set { fields.interruptionLevel = newValue }
    }
    open override var relevanceScore: Double {
        get { fields.relevanceScore }
        set { fields.relevanceScore = newValue }
    }
    open override var attachments: [UNNotificationAttachment] {
        get { fields.attachments }
        set { fields.attachments = newValue }
    }
}

/// A file attached to a notification.
open class UNNotificationAttachment: NSObject {
    /// Unique within the notification.
    open var identifier: String { record.identifier }
    /// The file's location when the attachment was created.
    open var url: URL { URL(fileURLWithPath: record.path) }
    /// The uniform type identifier for the file name's extension.
    open var type: String { record.type }

    let record: NotificationAttachment

    init(_ record: NotificationAttachment) { self.record = record }

    /// - Parameters:
    ///   - identifier: if empty, one is generated.
    ///   - options: ignored.
    /// - Throws: `UNError.attachmentInvalidURL` if there is no such file, `.attachmentUnrecognizedType` if it
    /// is not a picture. The file stays in place (Apple moves it) and must exist when the notification is
    /// shown: a regular file of at most 4 MiB and 4096 pixels in each direction; for an extension, one of its
    /// own.
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
            throw UNError(.attachmentInvalidURL, "'\(url)' is not a readable file.")
        }
        guard let type = Self.types[url.pathExtension.lowercased()] else {
            let known = Self.types.keys.sorted().joined(separator: ", ")
            throw UNError(
                .attachmentUnrecognizedType,
                "'\(url.lastPathComponent)' is not a picture: use one of \(known).")
        }
        record = NotificationAttachment(
            identifier: identifier.isEmpty ? UUID().uuidString : identifier,
            path: url.standardizedFileURL.path, type: type)
    }

    private static let types = [
        "png": "public.png", "jpg": "public.jpeg", "jpeg": "public.jpeg", "gif": "com.compuserve.gif",
        "svg": "public.svg-image",
    ]
}

extension NSString {
    /// The text of the main bundle's table for `key` with `arguments` inserted. Looked up immediately (Apple:
    /// when it is shown).
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let format = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        return String(format: format, arguments: (arguments ?? []).compactMap { $0 as? any CVarArg })
    }
}
