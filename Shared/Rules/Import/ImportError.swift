/// Why a file cannot be imported. Nothing of it is imported.
package struct ImportError: Error, Hashable, Sendable {
    /// Stable names to branch on.
    package enum Problem: String, Hashable, Sendable {
        case emptyFile, missingColumn, repeatedColumn, notUTF8, quoting, fieldCount, notANumber
        case outOfRange, emptyName, controlCharacter, truncated, wrongFormat, notAnObservation, notAnExport
        case notAnInstant, notAHost, rawToken
    }

    /// What is wrong.
    package let problem: Problem
    /// Line in which the row begins; the header is line 1.
    package let line: Int
    /// Name of the column, if one field is wrong.
    package let column: String?
    /// What a valid file would have there.
    package let expected: String
    /// What the file has there: at most 60 characters, control characters escaped.
    package let found: String

    /// An error; `found` is shortened and escaped.
    package init(_ problem: Problem, line: Int, column: String? = nil, expected: String, found: String) {
        self.problem = problem
        self.line = line
        self.column = column
        self.expected = expected
        self.found = Self.shown(found)
    }

    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(60) {
            if scalar.value < 0x20 || scalar.value == 0x7f {
                shown += scalar.escaped(asASCII: true)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > 60 ? shown + "…" : shown
    }
}

extension ImportError: CustomStringConvertible {
    /// "line 7, column timestamp_ms: expected a whole number …, found 'soon'".
    package var description: String {
        "line \(line)\(column.map { ", column \($0)" } ?? ""): expected \(expected), found \(found)"
    }
}
