import JSON
import Units

/// Values that get beyond the first check: names that fit a field, and what the services themselves have
/// answered under the same name (ids, tokens, pages).
struct Corpus {
    private var seen: [String: [String]] = [:]
    private static let keptMax = 40

    private static let plausible: [String: [String]] = [
        "from": ["2026-11-01", "2026-11-20", "2023-05-29"], "to": ["2026-11-20", "2026-11-21"],
        "zone": ["UTC", "Europe/Berlin", "Asia/Kathmandu"], "device": ["fuzz", "phone"],
        "device_model": ["linux", "android"], "name": ["one", "two"], "activity": ["one", "two"],
        "app": ["org.test.app", "firefox"], "domain": ["example.org"], "client": ["org.test.client"],
        "store": ["one"], "title": ["Words"], "identifier": ["one", "two"], "key": ["shield.applications"],
        "applications": ["org.test.app", "firefox"], "web_domains": ["example.org"], "id": ["org.test.app"],
        "boot_id": ["one"], "agent": ["fuzz"], "path": ["/nowhere"], "bundle": ["/nowhere"],
    ]

    func string(_ field: String, _ chance: inout Chance) -> String {
        let known = (Self.plausible[field] ?? []) + (seen[field] ?? [])
        if !known.isEmpty, chance.isLucky(85) { return Self.quoted(chance.pick(known)) }
        return Self.quoted(chance.pick(["org.test.app", "one", "two", "example.org", "2026-11-20"]))
    }

    /// - Parameter now: what most instants are close to.
    static func integer(_ field: String, now: Instant, _ chance: inout Chance) -> String {
        if field.hasSuffix("_ms"), chance.isLucky(60) {
            let distances: [Milliseconds] = [-.day, -.hour, -.minute, -1, 0, 1, .minute, .hour]
            return (now + chance.pick(distances)).description
        }
        return String(chance.pick([0, 1, 2, 3, 5, 10, 30, 59, 60, 1_000, 60_000, 3_600_000]))
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: text.encoded(), as: UTF8.self)
    }

    /// Keeps the strings of an answer by the name of their field.
    mutating func learn(_ value: JSONValue, field: String = "") {
        switch value {
        case .string(let text):
            guard !text.isEmpty, text.utf8.count < 400 else { return }
            // next_page is asked for as page.
            let name = field.hasPrefix("next_") ? String(field.dropFirst(5)) : field
            guard seen[name]?.contains(text) != true else { return }
            seen[name, default: []].append(text)
            if let count = seen[name]?.count, count > Self.keptMax { seen[name]?.removeFirst() }
        case .array(let values): for value in values.prefix(20) { learn(value, field: field) }
        case .object(let members): for member in members { learn(member.value, field: member.key) }
        default: return
        }
    }
}
