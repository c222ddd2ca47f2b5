internal import Contract
internal import ExtensionLink
public import Foundation
internal import JSON
internal import Synchronization

extension ManagedSettingsStore {
    /// Posted when all tokens of this client become void because the person revoked its authorization.
    /// Nothing else voids a token.
    public struct TokenExpiryMessage: NotificationCenter.AsyncMessage {
        /// Observers register on the store type.
        public typealias Subject = ManagedSettingsStore
        /// Reading the name starts the subscription to authorization changes.
        public static var name: Notification.Name {
            TokenExpiry.watch()
            return Notification.Name("org.screentime.tokensDidExpire")
        }

        /// Carries no data.
        public init() {}
    }

    /// Replaces the tokens with their present form, in the same order. A valid token never changes here.
    /// - Throws: ``ScreenTimeError`` for the first token that is void (`tokenRevoked`), of another client
    /// (`tokenForeign`) or damaged (`tokenDamaged`). `tokens` is then unchanged.
    public static func refresh(_ tokens: inout [ActivityCategoryToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }

    /// The same for apps.
    public static func refresh(_ tokens: inout [ApplicationToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }

    /// The same for web domains.
    public static func refresh(_ tokens: inout [WebDomainToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<ManagedSettingsStore.TokenExpiryMessage> {
    /// Lets observers write `for: .tokensDidExpire`.
    public static var tokensDidExpire:
        NotificationCenter.BaseMessageIdentifier<ManagedSettingsStore.TokenExpiryMessage>
    { .init() }
}

enum TokenExpiry {
    private static let watching = Mutex(false)
    /// The maximum number of tokens in one request.
    private static let perRequestMax = 2_000

    /// Posts the message when the client's authorization is revoked. Starts with the first observer.
    static func watch() {
        let begins = watching.withLock { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        guard begins else { return }
        Link.shared.subscribe(types: [AuthorizationChanged.type]) { _, data in
            // An event that cannot be decoded does not concern tokens.
            guard let changed = try? AuthorizationChanged.decode(data.bytes), changed.revoked else { return }
            NotificationCenter.default.post(ManagedSettingsStore.TokenExpiryMessage())
        }
    }

    static func refreshed<T>(_ tokens: [Token<T>]) throws -> [Token<T>] {
        var refreshed: [Token<T>] = []
        do throws(ServiceError) {
            for start in stride(from: 0, to: tokens.count, by: perRequestMax) {
                let part = tokens[start..<min(start + perRequestMax, tokens.count)]
                let params = TokenRefresh.Params(
                    member: ProgramMember.current, tokens: part.map { $0.data.base64EncodedString() })
                for one in try Link.shared.call(TokenRefresh.self, params).refreshed {
                    if let error = one.error { throw error.serviceError }
                    guard let data = Data(base64Encoded: one.token ?? "") else { continue }
                    refreshed.append(Token(data: data))
                }
            }
        } catch {
            throw ScreenTimeError(error)
        }
        return refreshed
    }
}
