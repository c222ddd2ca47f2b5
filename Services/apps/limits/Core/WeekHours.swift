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
        let pieces = text.split(separator: ";").map(Self.words).filter { !$0.isEmpty }
        let first = pieces.first ?? [""]
        guard pieces.count > 1 || first.count > 1 || Self.isName(first[0]) else {
            parts = [Part(days: days ?? Weekdays.all, windows: try Self.windows(first[0]))]
            return
        }
        guard days == nil else {
            throw ServiceError(
                .invalidArgument, "'\(text)' names weekdays, and --days does, too",
                remedy: "Name them in one of the two.")
        }
        for piece in pieces { try add(piece) }
    }

    /// What stands between spaces; lists may have some after their commas.
    private static func words(_ piece: Substring) -> [String] {
        var words: [String] = []
        for word in piece.split(whereSeparator: \.isWhitespace) {
            if words.last?.last == "," { words[words.count - 1] += word } else { words.append(String(word)) }
        }
        return words
    }

    /// Whether it can only be of weekdays.
    private static func isName(_ word: String) -> Bool {
        word.first?.isLetter == true && !["any", "none"].contains(word.lowercased())
    }

    private mutating func add(_ words: [String]) throws(ServiceError) {
        guard words.count == 2 else {
            throw ServiceError(
                .invalidArgument, "'\(words.joined(separator: " "))' is not weekdays and times",
                remedy: "Write them as 'mon-fri 16:00-19:00; sat,sun any'.")
        }
        let days = try Weekdays.parse(words[0])
        for part in parts where !part.days.isDisjoint(with: days) {
            throw ServiceError(
                .invalidArgument, "\(Weekdays.text(part.days.intersection(days))) stands twice",
                remedy: "Name each weekday once; separate several windows by commas.")
        }
        parts.append(Part(days: days, windows: try Self.windows(words[1])))
    }

    private static func windows(_ text: String) throws(ServiceError) -> [TimeWindow]? {
        switch text.lowercased() {
        case "any": nil
        case "none": []
        default: try TimeWindow.parse(text)
        }
    }
}
