internal import CSodium
import Glibc

/// A 64-bit hash of a page and its number: SipHash-2-4, keyed by the page number. It detects accidents only;
/// whoever can write the files can also write matching hashes.
enum PageHash {
    /// 0 for a page of zeros, as which an unwritten page is read.
    static func of(_ page: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard let start = bytes.baseAddress, bytes.count > 1 else { return 0 }
        if bytes[0] == 0, memcmp(start, start + 1, bytes.count - 1) == 0 { return 0 }
        // The largest value is reserved for "unknown".
        return min(keyed(UInt64(page), bytes), .max - 1)
    }

    static func of(_ page: Int, _ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { of(page, $0) }
    }

    /// The plain hash, for data that is not a page.
    static func keyed(_ key: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var key: (UInt64, UInt64) = (key.littleEndian, 0)
        var hash: UInt64 = 0
        guard let start = bytes.baseAddress else { return hash }
        withUnsafeMutablePointer(to: &hash) { hash in
            withUnsafePointer(to: &key) { key in
                // It always returns 0 because all lengths are fixed (crypto_shorthash_BYTES is 8, the key
                // 16).
                _ = crypto_shorthash(
                    UnsafeMutableRawPointer(hash), start, UInt64(bytes.count), UnsafeRawPointer(key))
            }
        }
        return UInt64(littleEndian: hash)
    }
}
