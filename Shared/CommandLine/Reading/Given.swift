import Contract
package import Units

/// The arguments and options that a command was given.
package struct Given: Sendable, Equatable {
    package var arguments: [String]
    /// By the name in the table, also where an alias was given; a flag has an empty value.
    private var options: [String: [String]]

    package init(arguments: [String] = [], options: [String: [String]] = [:]) {
        self.arguments = arguments
        self.options = options
    }

    mutating func add(_ option: Option, _ value: String) { options[option.name, default: []].append(value) }

    package func has(_ option: String) -> Bool { options[option] != nil }

    /// The value of an option that is given once.
    package func value(_ option: String) -> String? { options[option]?.last }

    /// Every value of an option that may be repeated. If nil, it was not given.
    package func values(_ option: String) -> [String]? { options[option] }

    /// - Throws: a usage error that names a missing option.
    package func required(_ option: String) throws(CommandError) -> String {
        guard let value = value(option) else {
            throw CommandError(ExitCode.usage, "\(option) is missing", remedy: "See --help.")
        }
        return value
    }

    /// A whole number, with a minus where the range has such.
    /// - Throws: a usage error that names the range.
    package func number(_ option: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = value(option) else { return nil }
        let digits = range.lowerBound < 0 && text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard WholeNumber.of(digits) != nil, let number = Int(text), range.contains(number) else {
            throw CommandError(
                ExitCode.usage, "\(option) is '\(text)'",
                remedy: "Use a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A time as `500ms`, `60s`, `5m` or `1h`; seconds without a unit.
    package func milliseconds(
        _ option: String, default fallback: Milliseconds, in range: ClosedRange<Milliseconds>
    ) throws(CommandError) -> Milliseconds {
        guard let text = value(option) else { return fallback }
        let units: [(String, Int64)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("", 1_000),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            guard let count = WholeNumber.of(text.dropLast(unit.count)), count <= range.upperBound.count,
                range.contains(Milliseconds(count * factor))
            else { break }
            return Milliseconds(count * factor)
        }
        throw CommandError(
            ExitCode.usage, "\(option) is '\(text)'",
            remedy: "Use a time as 500ms, 60s, 5m or 1h, at most \(range.upperBound / .second)s.")
    }
}
