internal import CommandKit
package import Foundation

/// Times on the command lines of the built-in apps.
package enum AppWords {
    /// A time of day, 24 hours: `07:30`.
    /// - Throws: `CommandError` for anything except `HH:MM` from 00:00 to 23:59.
    package static func timeOfDay(_ text: String) throws -> DateComponents {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }),
            let hour = number(parts[0]), let minute = number(parts[1]), hour < 24, minute < 60
        else {
            throw CommandError(
                "'\(text)' is not a time of day", remedy: "Write it as 07:30, 00:00 to 23:59.",
                code: CommandError.usage)
        }
        return DateComponents(hour: hour, minute: minute)
    }

    package static let midnight = DateComponents(hour: 0, minute: 0)

    /// A time of day at which something ends: `24:00` is the next midnight.
    package static func endOfDay(_ text: String) throws -> DateComponents {
        text == "24:00" ? midnight : try timeOfDay(text)
    }

    /// A duration of up to a week: `90s`, `30m`, `1h30m`, `2d`.
    /// - Returns: hours, minutes and seconds.
    package static func duration(_ text: String) throws -> DateComponents {
        let seconds = try seconds(text)
        return DateComponents(
            hour: seconds / 3_600, minute: seconds % 3_600 / 60, second: seconds % 60)
    }

    /// The same in seconds, 1 to 604800.
    package static func seconds(_ text: String) throws -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        var total = 0
        var digits = ""
        var isRight = !text.isEmpty
        for character in text {
            if character.isASCII, character.isNumber, digits.count < 6 {
                digits.append(character)
            } else if let unit = units[character], let number = Int(digits) {
                total += number * unit
                digits = ""
            } else {
                isRight = false
            }
        }
        guard isRight, digits.isEmpty, (1...604_800).contains(total) else {
            throw CommandError(
                "'\(text)' is not a duration", remedy: "Write it as 90s, 30m or 1h30m, up to 7d.",
                code: CommandError.usage)
        }
        return total
    }

    /// `HH:MM`, midnight as `24:00`.
    package static func text(end: DateComponents) -> String { end == midnight ? "24:00" : text(end) }

    /// `HH:MM`.
    package static func text(_ time: DateComponents) -> String {
        String(format: "%02d:%02d", time.hour ?? 0, time.minute ?? 0)
    }
}
