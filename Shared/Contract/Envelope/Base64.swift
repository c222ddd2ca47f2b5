/// Base64 with padding (RFC 4648, section 4). Strict: each sequence of bytes has exactly one encoding.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
    private static let pad = UInt8(ascii: "=")

    /// Encodes bytes, with padding and without line breaks.
    package static func text(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                letters.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : pad)
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Decodes text; nil if it is not exactly what ``text(_:)`` writes.
    package static func bytes(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count % 4 == 0 else { return nil }
        let padding = letters.suffix(2).reversed().prefix { $0 == pad }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        for start in stride(from: 0, to: letters.count, by: 4) {
            let isLast = start + 4 == letters.count
            let used = isLast ? 4 - padding : 4
            var bits = 0
            for index in 0..<4 {
                let value = index < used ? values[Int(letters[start + index])] : 0
                guard value != 0xFF else { return nil }
                bits = bits << 6 | Int(value)
            }
            // The bits that padding cuts off must be zero, or two texts would have the same meaning.
            guard used == 4 || bits & ((1 << (8 * (4 - used))) - 1) == 0 else { return nil }
            for index in 0..<used - 1 { bytes.append(UInt8(bits >> (16 - 8 * index) & 0xFF)) }
        }
        return bytes
    }
}
