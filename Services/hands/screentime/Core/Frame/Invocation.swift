import Contract
package import Loop
import ServiceKit
import Time
package import Units

/// A command as it was called: its arguments and options, and the way to the services.
@LoopActor package final class Invocation {
    package nonisolated let arguments: [String]
    private let options: [String: String]
    private var opened: Session?

    init(arguments: [String], options: [String: String]) {
        self.arguments = arguments
        self.options = options
    }

    package func has(_ option: String) -> Bool { options[option] != nil }
    package func value(_ option: String) -> String? { options[option] }

    /// Every value of an option that may be repeated; nil: it was not given.
    package func values(_ option: String) -> [String]? {
        options[option]?.split(separator: Arguments.valueSeparator, omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// A whole number, with a minus where the range has such.
    /// - Throws: a usage error that names the range.
    package func number(_ option: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = options[option] else { return nil }
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
        guard let text = options[option] else { return fallback }
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

    /// One of a few words.
    package func word(_ option: String, of allowed: [String]) throws(CommandError) -> String? {
        guard let text = options[option] else { return nil }
        guard allowed.contains(text) else {
            throw CommandError(
                ExitCode.usage, "\(option) is '\(text)'", remedy: "Use \(allowed.joined(separator: ", ")).")
        }
        return text
    }

    /// The way to the services; opened on first use.
    package func session() throws -> Session {
        if let opened { return opened }
        let configuration = try Configuration(environment: Configuration.processEnvironment)
        try configuration.runtime.checkLength()
        WallTime.follow(clockOf: configuration.stateDirectory)
        let session = Session(configuration)
        opened = session
        return session
    }
}
