import Contract
import Units

/// The texts of notifications: the person's message, shown literally, or a default sentence.
struct Words {
    private let about: ActivityCallback

    init(_ about: ActivityCallback) { self.about = about }

    var warning: String { own ?? "\(left) left for \(subject)." }
    var reached: String { own ?? "The time for \(subject) is used up." }

    private var own: String? { about.definition?.message.flatMap { $0.isEmpty ? nil : $0 } }

    private var left: String {
        let left = max(0, (about.threshold ?? 0) - (about.total ?? 0))
        guard left >= .minute else { return "Less than a minute is" }
        let minutes = left / .minute
        return minutes == 1 ? "1 minute is" : "\(minutes) minutes are"
    }

    private var subject: String {
        let event = about.definition
        let names =
            (event?.applications ?? []).map(Self.readable) + (event?.categories ?? [])
            + (event?.webDomains ?? [])
        guard let first = names.first else { return "this device" }
        switch names.count {
        case 1: return first
        case 2: return "\(first) and \(names[1])"
        default: return "\(first) and \(names.count - 1) others"
        }
    }

    /// The last part of an app id or path: `org.gnome.Maps` is Maps.
    private static func readable(_ app: String) -> String {
        let part = app.split { $0 == "/" || (!app.hasPrefix("exe:") && $0 == ".") }.last
        return part.map(String.init) ?? app
    }

    /// Unique per activity, event, occurrence and callback, so that a repeat replaces the notification;
    /// within the contract's limit also for long names.
    func identifier(_ callback: CallbackName) -> String {
        let whole =
            "limits/\(about.member)/\(about.activity)/\(about.event ?? "")/\(about.occurrenceStart)/"
            + callback.rawValue
        guard whole.utf8.count > Limits.nameBytesMax else { return whole }
        return "limits/\(Self.hash(whole))/\(about.occurrenceStart)/\(callback.rawValue)"
    }

    /// FNV-1a of 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
