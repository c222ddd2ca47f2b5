import Contract
import Testing

@testable import AuthCore

/// What a token is made of, and what becomes of one that was tampered with.
@Suite struct TokenSealerTests {
    private let sealer = TokenSealer(master: Array(repeating: 7, count: 32))
    private let grant = TokenSealer.Grant(client: "org.example.a", member: "uid-1", generation: 2)
    private let spotify = TokenSubject(.app, "com.spotify.music")

    private func refusal(_ token: [UInt8], _ grant: TokenSealer.Grant) -> ErrorName? {
        do throws(ServiceError) {
            _ = try sealer.open(token, for: grant)
            return nil
        } catch {
            return error.name
        }
    }

    @Test(arguments: [
        TokenSubject(.app, "a"), TokenSubject(.category, "a"), TokenSubject(.domain, "a"),
        TokenSubject(.app, String(repeating: "ü", count: 30)), TokenSubject(.app, ""),
    ])
    func aTokenIsReadAgain(subject: TokenSubject) throws {
        let token = sealer.seal(subject, for: grant)
        #expect(try sealer.open(token, for: grant) == .subject(subject))
        #expect(token == sealer.seal(subject, for: grant))
        #expect(token == TokenSealer(master: Array(repeating: 7, count: 32)).seal(subject, for: grant))
    }

    @Test func itsLengthSaysNothing() {
        let counts = (0...Limits.nameBytesMax).map {
            sealer.seal(TokenSubject(.app, String(repeating: "a", count: $0)), for: grant).count
        }
        #expect(Set(counts) == [128])
    }

    @Test func aLongNameIsSealedAsItsDigest() throws {
        let fits = TokenSubject(.domain, String(repeating: "a", count: TokenSealer.nameBytesMax))
        #expect(try sealer.open(sealer.seal(fits, for: grant), for: grant) == .subject(fits))
        let long = TokenSubject(.domain, fits.name + "b")
        let token = sealer.seal(long, for: grant)
        #expect(try sealer.open(token, for: grant) == .digest(.domain, sealer.digest(long.name)))
        #expect(token == sealer.seal(long, for: grant))
        #expect(token != sealer.seal(TokenSubject(.domain, fits.name + "c"), for: grant))
    }

    /// Made by the version before this one, which had longer tokens for longer names.
    @Test(arguments: TokensOfBefore.all)
    func tokensAlreadyGivenOutStayValid(before: TokensOfBefore) throws {
        let token = try #require(Base64.bytes(before.text))
        #expect(try sealer.open(token, for: grant) == .subject(before.subject))
        if before.subject.name.utf8.count <= TokenSealer.nameBytesMax {
            #expect(sealer.seal(before.subject, for: grant) == token, "and a short name has the same")
        }
    }

    @Test func itIsAnotherOneForEachSubjectClientMemberGenerationAndMaster() {
        var tokens: Set<[UInt8]> = [sealer.seal(spotify, for: grant)]
        tokens.insert(sealer.seal(TokenSubject(.domain, spotify.name), for: grant))
        for change in [
            TokenSealer.Grant(client: "org.example.b", member: "uid-1", generation: 2),
            TokenSealer.Grant(client: "org.example.a", member: "uid-2", generation: 2),
            TokenSealer.Grant(client: "org.example.a", member: "uid-1", generation: 3),
        ] {
            let token = sealer.seal(spotify, for: change)
            tokens.insert(token)
            #expect(refusal(token, grant) == .tokenForeign)
        }
        let other = TokenSealer(master: Array(repeating: 8, count: 32)).seal(spotify, for: grant)
        tokens.insert(other)
        #expect(tokens.count == 6)
        #expect(refusal(other, grant) == .tokenDamaged)
    }

    @Test func earlierGenerationsAreRevokedForEver() {
        let token = sealer.seal(spotify, for: grant)
        for generation in [Int64(3), 4, 500] {
            var later = grant
            later.generation = generation
            #expect(refusal(token, later) == .tokenRevoked)
        }
    }

    @Test func nothingOfTheSubjectShows() {
        let token = sealer.seal(spotify, for: grant)
        let other = sealer.seal(TokenSubject(.app, "com.spotify.musib"), for: grant)
        let name = Array("spotify".utf8)
        #expect(!token.indices.dropLast(name.count).contains { Array(token[$0..<$0 + name.count]) == name })
        // The key's id and the version are the client's; everything after differs.
        let same = zip(token, other).dropFirst(9).count { $0 == $1 }
        #expect(same < 16, "\(same) of \(token.count - 9) bytes are the same")
    }

    @Test func everyChangedBitIsSeen() {
        let token = sealer.seal(spotify, for: grant)
        for index in token.indices {
            var changed = token
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(refusal(changed, grant) == .tokenDamaged, "byte \(index)")
        }
        for count in [0, 1, 64, 127, 192] {
            #expect(refusal(Array((token + token).prefix(count)), grant) == .tokenDamaged, "\(count) bytes")
        }
        #expect(refusal(Array(repeating: 0, count: 128), grant) == .tokenDamaged)
    }
}
