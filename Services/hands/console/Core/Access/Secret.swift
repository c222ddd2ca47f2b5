internal import CSodium

/// An unguessable value: 32 bytes from libsodium, as 64 hexadecimal digits.
struct Secret: Hashable, Sendable {
    let text: String

    /// A new one.
    init() {
        var bytes = [UInt8](repeating: 0, count: 32)
        randombytes_buf(&bytes, bytes.count)
        text = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Whether this is it, in a time that does not depend on where they differ.
    func matches(_ given: String?) -> Bool {
        guard let given, given.utf8.count == text.utf8.count else { return false }
        return sodium_memcmp(Array(text.utf8), Array(given.utf8), text.utf8.count) == 0
    }
}
