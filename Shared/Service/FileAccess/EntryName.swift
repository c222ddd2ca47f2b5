import Glibc

/// The name of one entry of a directory: the bytes as the kernel has them. They need not be UTF-8.
package struct EntryName: Hashable, Comparable, Sendable {
    /// With a zero at the end.
    let bytes: [CChar]

    /// nil: `text` is not one name: it is empty, `.` or `..`, or has a slash or a zero.
    package init?(_ text: String) {
        guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(where: { $0 == 0x2f || $0 == 0 })
        else { return nil }
        bytes = Array(text.utf8CString)
    }

    /// A name that is known when the program is written.
    package init(constant name: StaticString) {
        guard let name = EntryName("\(name)") else { preconditionFailure("one name, not a path") }
        self = name
    }

    /// One that probably nothing has; whoever uses it must not replace what has it.
    static func fresh() -> EntryName {
        EntryName(bytes: Array("fresh-\(UInt64.random(in: .min ... .max))".utf8CString))
    }

    init(bytes: [CChar]) { self.bytes = bytes }

    /// The bytes as they are.
    package var utf8: [UInt8] { bytes.dropLast().map { UInt8(bitPattern: $0) } }

    /// In the order of the bytes.
    package static func < (first: EntryName, second: EntryName) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// For messages, and to compare with a name that is known: bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The name of a directory's entry; nil: it is `.` or `..`.
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
