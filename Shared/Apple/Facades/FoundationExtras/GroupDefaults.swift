internal import Contract
internal import ExtensionLink
public import Foundation
internal import ProgramLog

/// Makes `UserDefaults(suiteName:)` return defaults that an app and its extensions share.
///
/// Foundation's initializer takes an optional. This one takes a `String`, so the compiler prefers it. For an
/// argument of type `String?` the compiler still chooses Foundation's, which shares nothing: unwrap it.
public protocol SuiteNamed {}
extension UserDefaults: SuiteNamed {}

extension SuiteNamed {
    /// The defaults of an app group, shared by all programs of the app: each read returns the newest value,
    /// and concurrent writes are not lost. If a program may only read the group, a write is refused and
    /// logged and the previous values remain. (Apple's reads back a value that was never stored.)
    ///
    /// Any other name is a file in the program's own directory.
    /// - Returns: nil for a name that begins with `group.` and is not registered; the log says what to do.
    public init?(suiteName: String) {
        guard let made = SuiteDefaults.make(suiteName) as? Self else { return nil }
        self = made
    }
}

extension UserDefaults {
    /// The defaults of an app group, for callers that report why they are missing.
    /// - Throws: `ServiceError`: `notFound` if no entitlement lists the group; `unavailable` if the host
    /// cannot tell.
    package static func ofGroup(_ name: String) throws -> UserDefaults {
        SuiteDefaults.of(try Surroundings.registered(name), named: name)
    }
}

/// Defaults stored in a ``PreferencesFile``.
final class SuiteDefaults: UserDefaults {
    private let file: PreferencesFile

    static func make(_ name: String) -> UserDefaults? {
        if !name.hasPrefix("group."), let container = Surroundings.container {
            return SuiteDefaults(PreferencesFile(name: name, in: container, isWritable: true))
        }
        if !name.hasPrefix("group.") { return UserDefaults(suiteName: Optional(name)) }
        return Surroundings.group(name).map { of($0, named: name) }
    }

    static func of(_ group: AppGroup, named name: String) -> SuiteDefaults {
        SuiteDefaults(PreferencesFile(name: name, in: group.path, isWritable: group.writable))
    }

    init(_ file: PreferencesFile) {
        self.file = file
        // Foundation's initializer fails only for its reserved names.
        super.init(suiteName: nil)!
    }

    // MARK: values

    override func object(forKey defaultName: String) -> Any? {
        file.values[defaultName] ?? Registered.values.use { $0[defaultName] }
    }

    override func set(_ value: Any?, forKey defaultName: String) {
        guard let value else { return removeObject(forKey: defaultName) }
        guard PropertyListSerialization.propertyList([value], isValidFor: .binary) else {
            return ProgramLog.refuse(
                "'\(defaultName)' was not written: \(type(of: value)) is not a property-list type.",
                remedy: "Encode it, for example with JSONEncoder, and write the data.")
        }
        change { $0[defaultName] = value }
    }

    override func removeObject(forKey defaultName: String) {
        change { $0[defaultName] = nil }
    }

    private func change(_ body: (inout [String: Any]) -> Void) {
        guard file.change(body) else { return }
        NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
    }

    override func register(defaults registrationDictionary: [String: Any]) {
        Registered.values.use { $0.merge(registrationDictionary) { _, new in new } }
    }

    override func dictionaryRepresentation() -> [String: Any] {
        Registered.values.use { $0 }.merging(file.values) { _, stored in stored }
    }

    /// Does nothing: every write is on disk when it returns.
    @discardableResult
    override func synchronize() -> Bool { true }

    override func persistentDomain(forName domainName: String) -> [String: Any]? {
        domainName == file.name ? file.values : super.persistentDomain(forName: domainName)
    }

    override func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        guard domainName == file.name else {
            return super.setPersistentDomain(domain, forName: domainName)
        }
        change { $0 = domain }
    }

    override func removePersistentDomain(forName domainName: String) {
        guard domainName == file.name else { return super.removePersistentDomain(forName: domainName) }
        change { $0 = [:] }
    }

    // MARK: with types

    override func set(_ value: Int, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ value: Float, forKey defaultName: String) {
        set(Double(value) as Any?, forKey: defaultName)
    }
    override func set(_ value: Double, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ url: URL?, forKey defaultName: String) {
        set(url?.absoluteString as Any?, forKey: defaultName)
    }

    override func string(forKey defaultName: String) -> String? {
        switch object(forKey: defaultName) {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
    override func array(forKey defaultName: String) -> [Any]? { object(forKey: defaultName) as? [Any] }
    override func dictionary(forKey defaultName: String) -> [String: Any]? {
        object(forKey: defaultName) as? [String: Any]
    }
    override func data(forKey defaultName: String) -> Data? { object(forKey: defaultName) as? Data }
    override func stringArray(forKey defaultName: String) -> [String]? {
        object(forKey: defaultName) as? [String]
    }
    override func integer(forKey defaultName: String) -> Int {
        number(forKey: defaultName)?.intValue ?? 0
    }
    override func float(forKey defaultName: String) -> Float { number(forKey: defaultName)?.floatValue ?? 0 }
    override func double(forKey defaultName: String) -> Double {
        number(forKey: defaultName)?.doubleValue ?? 0
    }
    override func bool(forKey defaultName: String) -> Bool {
        if let text = object(forKey: defaultName) as? String { return (text as NSString).boolValue }
        return number(forKey: defaultName)?.boolValue ?? false
    }
    /// A text without a scheme is a file path.
    override func url(forKey defaultName: String) -> URL? {
        guard let text = object(forKey: defaultName) as? String else { return nil }
        if let url = URL(string: text), url.scheme != nil { return url }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath)
    }

    private func number(forKey defaultName: String) -> NSNumber? {
        switch object(forKey: defaultName) {
        case let text as String: Double(text).map { NSNumber(value: $0) }
        case let flag as Bool: NSNumber(value: flag)
        case let whole as Int: NSNumber(value: whole)
        case let fraction as Double: NSNumber(value: fraction)
        case let number as NSNumber: number
        default: nil
        }
    }
}

/// Registered default values, used for keys without a stored value. Never on disk.
private enum Registered {
    static let values = Shared<[String: Any]>([:])
}

/// A value behind a lock.
// The value is accessible only under the lock, and what leaves it is not changed by anyone.
final class Shared<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
