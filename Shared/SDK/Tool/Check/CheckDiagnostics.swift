/// One error of the compiler.
package struct CheckDiagnostic: Equatable {
    /// Path as the compiler printed it; empty for an error without a location.
    package var file: String
    /// Starts at 1; 0 without a location.
    package var line: Int
    package var column: Int
    package var message: String

    package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// The name that the compiler did not find, and the kind of place.
    package enum Missing: Equatable {
        case module(String)
        /// A type, function, variable, macro or attribute.
        case name(String)
        case member(String, of: String)

        package var name: String {
            switch self {
            case .module(let name), .name(let name), .member(let name, _): name
            }
        }
    }

    /// Nil if the error is not about a missing name.
    package var missing: Missing? {
        let quoted = Self.quoted(message)
        guard let first = quoted.first else { return nil }
        if message.hasPrefix("no such module ") { return .module(Self.lastPart(of: first)) }
        if message.hasPrefix("cannot find ") { return .name(Self.baseName(first)) }
        if message.hasPrefix("unknown attribute ") || message.hasPrefix("no macro named ") {
            return .name(first)
        }
        guard quoted.count >= 2 else { return nil }
        if message.contains("has no member ") || message.contains("has no dynamic member ") {
            return .member(Self.baseName(quoted[1]), of: first)
        }
        if message.contains(" is not a member type of ") {
            return .member(Self.baseName(first), of: quoted[1])
        }
        return nil
    }

    /// The errors in what `swiftc -diagnostic-style llvm` printed: `FILE:LINE:COLUMN: error: MESSAGE`.
    package static func errors(in output: String) -> [CheckDiagnostic] {
        output.split(separator: "\n").compactMap { line in
            if line.hasPrefix("error: ") || line.hasPrefix("<unknown>:0: error: ") {
                let message = line.drop { $0 != "e" }.dropFirst("error: ".count)
                return CheckDiagnostic(file: "", line: 0, column: 0, message: String(message))
            }
            guard let mark = range(of: ": error: ", in: line) else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":")
            guard place.count >= 3, let row = Int(place[place.count - 2]),
                let column = Int(place[place.count - 1])
            else { return nil }
            return CheckDiagnostic(
                file: place.dropLast(2).joined(separator: ":"), line: row, column: column,
                message: String(line[mark.upperBound...]))
        }
    }

    private static func range(of text: String, in line: Substring) -> Range<Substring.Index>? {
        var start = line.startIndex
        while start < line.endIndex {
            if line[start...].hasPrefix(text) {
                return start..<line.index(start, offsetBy: text.count)
            }
            start = line.index(after: start)
        }
        return nil
    }

    /// The parts between single quotes.
    static func quoted(_ message: String) -> [String] {
        message.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Only the last part of `Module.Store.Name`, because the parts before it are unknown here.
    static func lastPart(of name: String) -> String {
        String(name.split(separator: ".").last ?? "")
    }

    /// `frame` of `frame(width:)`.
    static func baseName(_ name: String) -> String {
        String(name.prefix { $0 != "(" && $0 != "<" })
    }
}
