import Contract
package import Units

/// Checks names in imported files.
enum ImportName {
    /// Checks the name of an app; it must not be a token of a program.
    /// - Throws: as ``check(_:_:line:column:)``; `rawToken`.
    static func checkSubject(
        _ name: String, _ what: String, line: Int, column: String?
    ) throws(ImportError) {
        try check(name, what, line: line, column: column)
        guard name.hasPrefix(RawToken.prefix) else { return }
        throw ImportError(
            .rawToken, line: line, column: column,
            expected: "a \(what), not a token, which only a program's host can read", found: "'\(name)'")
    }

    /// Checks length and characters of a name.
    /// - Parameter what: the noun in the error, such as "name".
    /// - Throws: `outOfRange` if it is too long, `controlCharacter`.
    static func check(
        _ name: String, _ what: String, line: Int, column: String?
    ) throws(ImportError) {
        guard name.utf8.count <= Limits.nameBytesMax else {
            throw ImportError(
                .outOfRange, line: line, column: column,
                expected: "a \(what) of at most \(Limits.nameBytesMax) bytes", found: "'\(name)'")
        }
        if name.unicodeScalars.contains(where: { VisibleText.isHidden($0) }) {
            throw ImportError(
                .controlCharacter, line: line, column: column,
                expected: "a \(what) without control characters", found: "'\(name)'")
        }
    }
}

extension ImportError {
    /// Checks that a file is UTF-8.
    /// - Throws: `notUTF8` with the first line that is not.
    static func requireUTF8(_ bytes: [UInt8]) throws(ImportError) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var line = 1
        for row in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard String(validating: row, as: UTF8.self) != nil else {
                let shown = String(decoding: row, as: UTF8.self)
                throw ImportError(.notUTF8, line: line, expected: "text in UTF-8", found: "'\(shown)'")
            }
            line += 1
        }
    }

    /// The line, from 1, that contains a byte.
    static func line(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}

/// The last millisecond of the year 9999; a later value is no valid time.
package let latestStamp: Instant = 253_402_300_799_999
