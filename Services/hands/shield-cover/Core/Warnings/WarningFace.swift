import Contract
import Units

/// What a warning shows now. Without GTK.
struct WarningFace: Equatable, Sendable {
    /// A banner, or later only the time left.
    enum Form: Equatable, Sendable { case banner, chip }

    var form: Form
    var title: String
    var body: String?
    /// The time left, as the banner or the chip shows it.
    var time: String
    /// What a screen reader says.
    var announcement: String
    var close: String
    var appearance: Appearance

    /// - Parameter left: rounded up to whole seconds.
    init(
        _ form: Form, title: String, body: String?, left: Int64, isPaused: Bool, words: WarningWords,
        appearance: Appearance
    ) {
        self.form = form
        self.title = PlainText.of(title, bytesMax: CoverLimits.titleBytesMax) ?? words.title
        self.body = body.flatMap {
            PlainText.of($0, bytesMax: CoverLimits.warningBytesMax, isLines: true)
        }
        time = form == .banner ? Self.clock(left) : words.left(left)
        if isPaused { time = words.paused(time) }
        announcement = [self.title, self.body, words.spoken(left)].compactMap(\.self).joined(separator: " ")
        close = words.close
        self.appearance = appearance
    }

    /// `4:59`, `1:04:59`
    static func clock(_ seconds: Int64) -> String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let tail = ":" + padded(seconds % 60)
        return hours > 0 ? "\(hours):" + padded(minutes) + tail : "\(minutes)" + tail
    }

    /// When what is shown changes next, after now; nil: with the end.
    /// - Parameter left: milliseconds.
    static func nextChange(_ form: Form, left: Milliseconds) -> Milliseconds {
        let unit: Int64 = form == .chip && left.count > 60_000 ? 60_000 : 1_000
        // Times are rounded up, so that 0 is the end.
        let shown = (left.count + unit - 1) / unit
        return Milliseconds(max(1, left.count - (shown - 1) * unit))
    }
}

/// What warnings say, in one language.
struct WarningWords: Sendable {
    /// Where whoever warns has no words.
    var title: String
    /// The chip: so many seconds left.
    var left: @Sendable (Int64) -> String
    /// The same for a screen reader.
    var spoken: @Sendable (Int64) -> String
    /// A time that stands still.
    var paused: @Sendable (_ time: String) -> String
    /// The button that dismisses it, for a screen reader.
    var close: String

    static let english = WarningWords(
        title: "Time is almost up",
        left: { $0 > 60 ? "\(($0 + 59) / 60) min left" : "\($0) s left" },
        spoken: { seconds in
            func counted(_ count: Int64, _ unit: String) -> String {
                "\(count) \(unit)\(count == 1 ? "" : "s") left"
            }
            return seconds >= 60 ? counted((seconds + 59) / 60, "minute") : counted(seconds, "second")
        },
        paused: { "\($0) · paused" },
        close: "Dismiss")

    static let korean = WarningWords(
        title: "남은 시간이 거의 없습니다",
        left: { $0 > 60 ? "\(($0 + 59) / 60)분 남음" : "\($0)초 남음" },
        spoken: { $0 >= 60 ? "\(($0 + 59) / 60)분 남았습니다" : "\($0)초 남았습니다" },
        paused: { "\($0) · 일시 정지" },
        close: "닫기")
}
