package import Contract

/// The hours that a command sets, by weekday, 1 (Sunday) to 7.
package struct WeekHours: Equatable, Sendable {
    /// A group of weekdays with the same hours.
    package struct Part: Equatable, Sendable {
        package var days: Set<Int64>
        /// When the target is open, none of it if empty; nil: these days have no hours.
        package var windows: [TimeWindow]?
    }

    /// No weekday is in two of them.
    package private(set) var parts: [Part]

    /// - Parameters:
    ///   - text: `07:00-08:00,16:00-19:00`, `none` (closed) or `any` (no hours), for `days`; or the same for
    ///     weekdays that it names, separated by semicolons: `mon-fri 16:00-19:00; sat,sun any`.
    ///   - days: those that the command names besides; nil if it names none.
    /// - Throws: `invalidArgument`.
    package init(_ text: String, days: Set<Int64>?) throws(ServiceError) {
        parts = []
        guard let first = text.first, first.isLetter, text.contains(where: { $0 == " " || $0 == ";" }) else {
            parts = [Part(days: days ?? Weekdays.all, windows: try Self.windows(text))]
            return
        }
        guard days == nil else {
            throw ServiceError(
                .invalidArgument, "'\(text)' names weekdays, and --days does, too",
                remedy: "Name them in one of the two.")
        }
        for piece in text.split(separator: ";", omittingEmptySubsequences: false) {
            try add(piece)
        }
    }

    private mutating func add(_ piece: Substring) throws(ServiceError) {
        let words = piece.split(separator: " ")
        guard words.count == 2 else {
            throw ServiceError(
                .invalidArgument, "'\(piece)' is not weekdays and times",
                remedy: "Write them as 'mon-fri 16:00-19:00; sat,sun any'.")
        }
        let days = try Weekdays.parse(String(words[0]))
        for part in parts where !part.days.isDisjoint(with: days) {
            throw ServiceError(
                .invalidArgument, "\(Weekdays.text(part.days.intersection(days))) has two times",
                remedy: "Name each weekday once; separate several windows by commas.")
        }
        parts.append(Part(days: days, windows: try Self.windows(String(words[1]))))
    }

    private static func windows(_ text: String) throws(ServiceError) -> [TimeWindow]? {
        switch text {
        case "any": nil
        case "none": []
        default: try TimeWindow.parse(text)
        }
    }
}
