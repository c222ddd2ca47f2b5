/// A file that is not what it claims to be. Nothing of it is taken.
package struct ImportError: Error, Hashable, Sendable {
    package enum Problem: String, Hashable, Sendable {
        case emptyFile, missingColumn, repeatedColumn, notUTF8, quoting, fieldCount, notANumber
        case outOfRange, emptyName, controlCharacter, truncated, wrongFormat, notAnObservation, notAnExport
        case notAnInstant, notAHost, rawToken
    }

    package let problem: Problem
    /// The line of the file in which the row begins; the header is line 1.
    package let line: Int
    /// The column's name, where one field is to blame.
    package let column: String?
    package let expected: String
    /// What stood there: at most 60 characters, control characters escaped.
    package let found: String

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
