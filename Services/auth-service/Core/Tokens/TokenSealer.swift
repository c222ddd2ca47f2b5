import Contract
import CSodium

/// Makes and reads tokens: encrypted subjects that only this instance can read and only the client and member
/// they were made for can use.
///
/// A token is `version (1) ‖ key id (8) ‖ nonce (24) ‖ sealed subject ‖ tag (16) ‖ seal of all before (16)`,
/// 128 bytes for any subject: a name that does not fit is replaced by its digest, and the table `token_name`
/// contains the name. (Earlier versions made longer tokens for longer names, in steps of 64 bytes; those stay
/// valid.) The key belongs to (client, member, grant generation); its id and the key are BLAKE2b of these
/// under the master key. The nonce is BLAKE2b of the subject under another key (a synthetic nonce): the same
/// subject gives the same token, and no two subjects share a nonce. XChaCha20-Poly1305 encrypts; the last 16
/// bytes distinguish a token of this instance from any other bytes.
final class TokenSealer {
    /// For whom a token is valid. Each revocation starts a new generation.
    struct Grant: Hashable {
        var client: String
        var member: String
        var generation: Int64
    }

    private struct Keys {
        var id: [UInt8]
        var sealing: [UInt8]
        var nonces: [UInt8]
    }

    static let masterBytes = 32
    private static let version: UInt8 = 1
    private static let (idBytes, nonceBytes, tagBytes, sealBytes) = (8, 24, 16, 16)
    private static let headBytes = 1 + idBytes
    private static let bytes = 128
    /// Length steps of tokens of earlier versions.
    private static let blockBytes = 64
    private static let digestBytes = 32
    /// Stands for a name's length and is followed by the name's digest.
    private static let isDigest: [UInt8] = [0xFF, 0xFF]
    /// Longest name in bytes that fits.
    static let nameBytesMax = bytes - headBytes - nonceBytes - tagBytes - sealBytes - 3
    /// Number of grants whose keys are cached.
    private static let keysKept = 1_000

    private let master: [UInt8]
    private var keys: [Grant: Keys] = [:]

    init(master: [UInt8]) {
        precondition(master.count == Self.masterBytes, "a master key of \(master.count) bytes")
        precondition(Self.isReady, "libsodium found no source of randomness")
        self.master = master
    }

    private static let isReady = sodium_init() >= 0

    static func newMaster() -> [UInt8] {
        precondition(isReady, "libsodium found no source of randomness")
        var bytes = [UInt8](repeating: 0, count: masterBytes)
        randombytes_buf(&bytes, bytes.count)
        return bytes
    }

    // MARK: tokens

    /// The content of a token.
    enum Content: Equatable {
        case subject(TokenSubject)
        /// The digest of a name that did not fit.
        case digest(TokenKind, [UInt8])
    }

    func seal(_ subject: TokenSubject, for grant: Grant) -> [UInt8] {
        let keys = keys(grant)
        let plain = plain(subject)
        let nonce = Self.hash(plain, key: keys.nonces, count: Self.nonceBytes)
        let head = [Self.version] + keys.id
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagBytes)
        var count: UInt64 = 0
        // Fails for no input.
        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, &count, plain, UInt64(plain.count), head, UInt64(head.count), nil, nonce, keys.sealing)
        let token = head + nonce + sealed
        return token + seal(of: token)
    }

    /// The content of a token of this grant.
    /// - Throws: `tokenDamaged`, `tokenRevoked`, `tokenForeign`
    func open(_ token: [UInt8], for grant: Grant) throws(ServiceError) -> Content {
        let rest = Self.headBytes + Self.nonceBytes + Self.tagBytes + Self.sealBytes
        guard token.count >= Self.bytes, token.count % Self.blockBytes == 0, token.count > rest,
            token[0] == Self.version, isOurs(token)
        else { throw TokenRefusal.damaged }
        let id = Array(token[1..<Self.headBytes])
        let keys = keys(grant)
        guard id == keys.id else { throw isEarlier(id, grant) ? TokenRefusal.revoked : TokenRefusal.foreign }
        let head = Array(token[..<Self.headBytes])
        let nonce = Array(token[Self.headBytes..<Self.headBytes + Self.nonceBytes])
        let sealed = Array(token[(Self.headBytes + Self.nonceBytes)..<token.count - Self.sealBytes])
        var plain = [UInt8](repeating: 0, count: sealed.count - Self.tagBytes)
        var count: UInt64 = 0
        let failure = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, &count, nil, sealed, UInt64(sealed.count), head, UInt64(head.count), nonce, keys.sealing)
        guard failure == 0, let content = Self.content(plain) else { throw TokenRefusal.damaged }
        return content
    }

    /// The digest that replaces a name that does not fit.
    func digest(_ name: String) -> [UInt8] {
        Self.hash(Array(name.utf8), key: derived("names", []), count: Self.digestBytes)
    }

    private func isOurs(_ token: [UInt8]) -> Bool {
        let expected = seal(of: Array(token.dropLast(Self.sealBytes)))
        return sodium_memcmp(expected, Array(token.suffix(Self.sealBytes)), Self.sealBytes) == 0
    }

    private func seal(of bytes: [UInt8]) -> [UInt8] {
        Self.hash(bytes, key: derived("seal", []), count: Self.sealBytes)
    }

    private func isEarlier(_ id: [UInt8], _ grant: Grant) -> Bool {
        (0..<grant.generation).contains { generation in
            var earlier = grant
            earlier.generation = generation
            return keyID(earlier) == id
        }
    }

    // MARK: the padded subject

    private static let kinds: [TokenKind] = [.app, .category, .domain]

    private func plain(_ subject: TokenSubject) -> [UInt8] {
        let name = Array(subject.name.utf8)
        let kind = UInt8(Self.kinds.firstIndex(of: subject.kind) ?? 0)
        let plain =
            name.count <= Self.nameBytesMax
            ? [kind, 0, UInt8(name.count)] + name : [kind] + Self.isDigest + digest(subject.name)
        return plain + [UInt8](repeating: 0, count: Self.nameBytesMax + 3 - plain.count)
    }

    private static func content(_ plain: [UInt8]) -> Content? {
        guard plain.count >= 3, Int(plain[0]) < kinds.count else { return nil }
        let (kind, rest) = (kinds[Int(plain[0])], plain[3...])
        if Array(plain[1..<3]) == isDigest { return .digest(kind, Array(rest.prefix(digestBytes))) }
        let count = Int(plain[1]) << 8 | Int(plain[2])
        guard rest.count >= count, let name = String(validating: rest.prefix(count), as: UTF8.self)
        else { return nil }
        return .subject(TokenSubject(kind, name))
    }

    // MARK: keys

    private func keys(_ grant: Grant) -> Keys {
        if let known = keys[grant] { return known }
        if keys.count >= Self.keysKept { keys = [:] }
        let text = Self.text(grant)
        let made = Keys(id: keyID(grant), sealing: derived("sealing", text), nonces: derived("nonces", text))
        keys[grant] = made
        return made
    }

    private func keyID(_ grant: Grant) -> [UInt8] {
        Self.hash(Array("id".utf8) + [0] + Self.text(grant), key: master, count: Self.idBytes + 8)
            .prefix(Self.idBytes).map { $0 }
    }

    private func derived(_ purpose: String, _ text: [UInt8]) -> [UInt8] {
        Self.hash(Array(purpose.utf8) + [0] + text, key: master, count: 32)
    }

    /// Unambiguous: no bundle id or member id contains a zero byte.
    private static func text(_ grant: Grant) -> [UInt8] {
        Array("\(grant.client)\u{0}\(grant.member)\u{0}\(grant.generation)".utf8)
    }

    /// BLAKE2b; `count` 16 to 64 bytes.
    private static func hash(_ bytes: [UInt8], key: [UInt8], count: Int) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        let failure = crypto_generichash(&out, count, bytes, UInt64(bytes.count), key, key.count)
        precondition(failure == 0, "a hash of \(count) bytes under a key of \(key.count)")
        return out
    }
}

/// Errors for refused tokens.
enum TokenRefusal {
    static let damaged = ServiceError(
        .tokenDamaged, "the bytes are not a token of this system",
        remedy: "Store tokens unchanged; let the person choose again.")
    static let revoked = ServiceError(
        .tokenRevoked, "the token was made before the app's authorization was revoked",
        remedy: "Let the person choose again.")
    static let foreign = ServiceError(
        .tokenForeign, "the token was made for another app or another member",
        remedy: "Use tokens of this app only.")
    static let forgotten = ServiceError(
        .tokenRevoked, "the subject of the token was deleted", remedy: "Let the person choose again.")
}
