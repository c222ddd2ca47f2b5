import Combine
import Foundation
import FoundationExtras
import os.log

// A program written as for iOS; each command has effects that a test checks.
let arguments = CommandLine.arguments.dropFirst()
let group = "group.org.example.limits"

func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }

func readAll(_ defaults: UserDefaults) {
    print(text(defaults.object(forKey: "minutes")), defaults.integer(forKey: "minutes"))
    print(defaults.bool(forKey: "isStrict"), text(defaults.string(forKey: "name")))
    print(text(defaults.data(forKey: "selection")?.count), text(defaults.object(forKey: "when") as? Date))
    print(text(defaults.stringArray(forKey: "names")), defaults.double(forKey: "share"))
    print(text(defaults.dictionary(forKey: "byDay") as? [String: Int]), text(defaults.url(forKey: "page")))
}

switch arguments.first {
case "keys":
    guard let defaults = UserDefaults(suiteName: group) else { exit(1) }
    let prefix = arguments.dropFirst().first ?? ""
    for number in 0..<300 { defaults.set(number, forKey: "\(prefix)\(number)") }
case "write":
    // Unwrapped by force, as such programs do; the test would see the crash.
    let defaults = UserDefaults(suiteName: "group.org.example.limits")!
    defaults.set(45, forKey: "minutes")
    defaults.set(true, forKey: "isStrict")
    defaults.set("Ünï", forKey: "name")
    defaults.set(Data([1, 2, 3]), forKey: "selection")
    defaults.set(Date(timeIntervalSince1970: 0), forKey: "when")
    defaults.set(["a", "b"], forKey: "names")
    defaults.set(0.25, forKey: "share")
    defaults.set(["mon": 1], forKey: "byDay")
    defaults.set(URL(string: "https://example.org/a"), forKey: "page")
    readAll(defaults)
case "read":
    readAll(UserDefaults(suiteName: group)!)  // As above.
case "suites":
    print(UserDefaults(suiteName: "group.org.example.other") == nil)
    UserDefaults(suiteName: "settings")?.set(1, forKey: "own")
    print(UserDefaults(suiteName: "settings")!.integer(forKey: "own"))
    let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    print(container?.lastPathComponent ?? "none")
    let defaults = UserDefaults(suiteName: group)!  // As above.
    defaults.register(defaults: ["minutes": 30, "other": "x"])
    print(defaults.integer(forKey: "minutes"), text(defaults.string(forKey: "other")))
    defaults.set(Calendar.current, forKey: "calendar")
    print(text(defaults.object(forKey: "calendar")))
    defaults.removeObject(forKey: "minutes")
    print(defaults.integer(forKey: "minutes"), defaults.dictionaryRepresentation().keys.sorted())
    var changes = 0
    let link = NotificationCenter.default.publisher(for: UserDefaults.didChangeNotification)
        .sink { _ in changes += 1 }
    defaults.set(nil, forKey: "name")
    defaults.removePersistentDomain(forName: group)
    print(changes, defaults.dictionaryRepresentation().keys.sorted())
    link.cancel()
case "log":
    let logger = Logger(subsystem: "org.example.limits", category: "monitor")
    let name = "Secret Game"
    let error: any Error = CocoaError(.fileNoSuchFile)
    logger.log("\(name) \(name, privacy: .public) \(name, privacy: .private) \(5) \(5, privacy: .private)")
    logger.info(
        "\(1.5) \(1.5, format: .fixed(precision: 1)) \(255, format: .hex) \(true) \(false, format: .answer)")
    logger.debug("\(name, align: .right(columns: 12), privacy: .public)|\(Int.self)|\(UInt8(7))")
    logger.warning("careful")
    logger.error("failed: \(error.localizedDescription, privacy: .public)")
    logger.fault("\(name, privacy: .private(mask: .hash))")
    logger.notice("\([1, 2], privacy: .public) \(UUID(), privacy: .sensitive)")
    os_log("shown %{public}@ hidden %@ %d %.1f %%", log: .default, type: .error, name, name, 3, 2.5)
    os_log(.debug, "plain")
    Logger().trace("a \"line\"\nbreak")
    print("printed")
case "localized":
    guard let bundle = Bundle(path: arguments.dropFirst().first ?? "") else { exit(1) }
    let (name, count) = ("Anna", 3)
    print(String(localized: "Good morning, \(name)!", bundle: bundle))
    print(String(localized: "\(count) apps", bundle: bundle), String(localized: "\(1) apps", bundle: bundle))
    print(String(localized: "limit.title", defaultValue: "Limit of \(2000) min", bundle: bundle))
    print(NSLocalizedString("plain", bundle: bundle, comment: "A word."))
    print(NSLocalizedString("missing", bundle: bundle, value: "as given", comment: ""))
    print(String(localized: "100% of \(name)"), String(localized: "50% done"))
    print(String(localized: "from.catalogue", table: "More", bundle: bundle))
    print(String(localized: "\(5) left", table: "More", bundle: bundle))
    let resource: LocalizedStringResource = "\(name) has \(0.5, specifier: "%.2f")"
    print(String(localized: resource))
case "standard":
    let defaults = UserDefaults.standard
    print(text(defaults.value(forKey: "selection")))
    defaults.setValue("chosen", forKey: "selection")
case "darwin":
    let center = CFNotificationCenterGetDarwinNotifyCenter()
    let observer = UnsafeRawPointer(bitPattern: 1)
    CFNotificationCenterAddObserver(
        center, observer,
        { _, observer, name, _, _ in
            // As above.
            print(name!.rawValue as String, observer == UnsafeMutableRawPointer(bitPattern: 1))
            if name!.rawValue == "end" { exit(0) }
        }, nil, nil, .deliverImmediately)
    for name in ["a", "a", "b", "end"] {
        CFNotificationCenterPostNotification(center, CFNotificationName(name as CFString), nil, nil, true)
    }
    dispatchMain()
default:
    exit(64)
}
