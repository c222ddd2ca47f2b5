internal import Contract
public import Foundation

/// What a notification says. Make a ``UNMutableNotificationContent`` to say something.
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

    public override init() { fields = Fields() }

    init(_ fields: Fields) { self.fields = fields }

    /// Up to 4096 bytes; the summary on the screen. Where it is blank the subtitle or the body takes its
    /// place.
    open var title: String { fields.title }
    /// Up to 1024 bytes; the first line below the title.
    open var subtitle: String { fields.subtitle }
    /// Up to 4096 bytes.
    open var body: String { fields.body }
    /// The app's number from when the notification is due; 0 takes it away, nil leaves it.
    open var badge: NSNumber? { fields.badge }
    /// Nil: silent.
    open var sound: UNNotificationSound? { fields.sound }
    /// A property list, up to 48 KiB; comes back with the response.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// Names the category whose buttons it has.
    open var categoryIdentifier: String { fields.categoryIdentifier }
    open var threadIdentifier: String { fields.threadIdentifier }
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    /// 0 to 1; kept and listed with the notification.
    open var relevanceScore: Double { fields.relevanceScore }
    /// The first image is shown where the daemon shows images.
    open var attachments: [UNNotificationAttachment] { fields.attachments }

    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.fields = fields
        return copy
    }
}

/// What a notification shall say.
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

/// A file that goes with a notification.
open class UNNotificationAttachment: NSObject {
    open var identifier: String { record.identifier }
    open var url: URL { URL(fileURLWithPath: record.path) }
    /// Uniform type identifier, by the ending of the file.
    open var type: String { record.type }

    let record: NotificationAttachment

    init(_ record: NotificationAttachment) { self.record = record }

    /// - Parameters:
    ///   - identifier: empty: one is made.
    ///   - options: nothing is known here that they could change.
    /// - Throws: `UNError.attachmentInvalidURL` when there is no such file, `.attachmentUnrecognizedType`
    ///   when it is no picture. The file stays where it is (Apple moves it); it must be there when it is
    ///   shown: a plain file of up to 4 MiB and 4096 pixels each way, of an extension one of its own.
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
            throw UNError(.attachmentInvalidURL, "'\(url)' is no file that can be read.")
        }
        guard let type = Self.types[url.pathExtension.lowercased()] else {
            let known = Self.types.keys.sorted().joined(separator: ", ")
            throw UNError(
                .attachmentUnrecognizedType,
                "'\(url.lastPathComponent)' is no picture: use \(known).")
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
    /// The words of the main bundle's table under `key`, with `arguments` put in; chosen when it is called
    /// (Apple: when it is shown).
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let format = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        return String(format: format, arguments: (arguments ?? []).compactMap { $0 as? any CVarArg })
    }
}
