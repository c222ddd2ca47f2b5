internal import Contract
internal import ExtensionLink
public import Foundation
internal import JSON
internal import Synchronization

extension ManagedSettingsStore {
    /// Told when tokens of this client are void for ever: the person took its authorization back. Nothing
    /// else makes a token void.
    public struct TokenExpiryMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = ManagedSettingsStore
        public static var name: Notification.Name {
            TokenExpiry.watch()
            return Notification.Name("org.screentime.tokensDidExpire")
        }

        public init() {}
    }

    /// Gives the tokens as they are valid now, in their order: here a valid one never changes.
    /// - Throws: ``ScreenTimeError`` for the first one that is void (`tokenRevoked`), another client's
    ///   (`tokenForeign`) or damaged (`tokenDamaged`); `tokens` stays as it is.
    public static func refresh(_ tokens: inout [ActivityCategoryToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }

    /// As for categories.
    public static func refresh(_ tokens: inout [ApplicationToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }

    /// As for categories.
    public static func refresh(_ tokens: inout [WebDomainToken]) throws {
        tokens = try TokenExpiry.refreshed(tokens)
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<ManagedSettingsStore.TokenExpiryMessage> {
    public static var tokensDidExpire:
        NotificationCenter.BaseMessageIdentifier<ManagedSettingsStore.TokenExpiryMessage>
    { .init() }
}

enum TokenExpiry {
    private static let watching = Mutex(false)
    /// Tokens one request may name.
    private static let perRequestMax = 2_000

    /// Posts the message when the client's authorization is taken back, from the first observer on.
    static func watch() {
        let begins = watching.withLock { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        guard begins else { return }
        Link.shared.subscribe(types: [AuthorizationChanged.type]) { _, data in
            // An event of another version says nothing of tokens.
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
