import Glibc

/// The name of one directory entry: the kernel's bytes, which need not be UTF-8.
package struct EntryName: Hashable, Comparable, Sendable {
    /// Ends with a zero byte.
    let bytes: [CChar]

    /// Nil if `text` is not a single name: empty, `.` or `..`, or with a slash or a zero byte.
    package init?(_ text: String) {
        guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(where: { $0 == 0x2f || $0 == 0 })
        else { return nil }
        bytes = Array(text.utf8CString)
    }

    /// A name that is a constant of the program.
    package init(constant name: StaticString) {
        guard let name = EntryName("\(name)") else { preconditionFailure("one name, not a path") }
        self = name
    }

    /// A random name that is most likely unused; the caller must not replace an existing entry.
    static func fresh() -> EntryName {
        EntryName(bytes: Array("fresh-\(UInt64.random(in: .min ... .max))".utf8CString))
    }

    init(bytes: [CChar]) { self.bytes = bytes }

    /// The bytes without the zero.
    package var utf8: [UInt8] { bytes.dropLast().map { UInt8(bitPattern: $0) } }

    /// Compares bytes.
    package static func < (first: EntryName, second: EntryName) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// For messages and for comparison with a constant name. Bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The name of a directory entry. Nil for `.` and `..`.
    static func of(_ entry: UnsafeMutablePointer<dirent>) -> EntryName? {
        let bytes = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { start in
                Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
            }
        }
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        return bytes == [dot, 0] || bytes == [dot, dot, 0] ? nil : EntryName(bytes: bytes)
    }
}
