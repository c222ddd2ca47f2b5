import CSodium

/// Incremental SHA-256.
struct SHA256 {
    private var state = crypto_hash_sha256_state()

    init() { crypto_hash_sha256_init(&state) }

    mutating func add(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count))
        }
        if isDone == nil { add(Array(bytes)) }
    }

    /// The hash, hexadecimal.
    mutating func finish() -> String {
        var bytes = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
        crypto_hash_sha256_final(&state, &bytes)
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
