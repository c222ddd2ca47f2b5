internal import Contract
internal import ExtensionLink
internal import FoundationExtras
public import ManagedSettings
internal import Rules

/// Apps, sites and categories by name, for an app with data access.
///
/// Each property throws ``FamilyControlsError/unauthorized`` unless the authorization is
/// ``AuthorizationStatus/approvedWithDataAccess``, and ``FamilyControlsError/unavailable`` if the services do
/// not answer within the link's deadline (5 s per page). Unlike on iOS several apps can have access at the
/// same time.
public final class FamilyActivityData: Sendable {
    /// The only instance. It has no state; each property queries the services.
    public static let shared = FamilyActivityData()

    private init() {}

    /// Apps that are installed or were used here, with identifier, name and token, sorted by identifier.
    public var installedApplications: [Application] {
        get async throws {
            var items: [CatalogItem] = []
            var params = CatalogList.Params(kind: .app)
            repeat {
                let page = try await Self.ask(CatalogList.self, params)
                items += page.items
                params.after = page.next
            } while params.after != nil
            let tokens = try await Self.tokens(.app, items.map(\.subject))
            return zip(items, tokens).map { item, token in
                Application(
                    bundleIdentifier: item.subject, token: Token(wireText: token),
                    localizedDisplayName: item.name ?? item.subject)
            }
        }
    }

    /// Domains visited in the last 3,650 days, as in reports, with their tokens. Sorted.
    public var visitedWebDomains: [WebDomain] {
        get async throws {
            var domains: Set<String> = []
            var params = ReportQuery.Params(
                from: Date(timeIntervalSinceNow: -3_650 * 86_400).formatted(.iso8601.year().month().day()),
                segment: .weekly, by: .domain, shape: .rows, page: 0)
            repeat {
                let answer = try await Self.ask(ReportQuery.self, params)
                domains.formUnion(answer.rows.filter { $0.value > 0 }.map(\.key))
                params.page = answer.nextPage
            } while params.page != nil
            let names = domains.sorted()
            let tokens = try await Self.tokens(.domain, names)
            return zip(names, tokens).map { WebDomain(domain: $0, token: Token(wireText: $1)) }
        }
    }

    /// All categories of the catalogue, with name and token.
    public var activityCategories: Set<ActivityCategory> {
        get async throws {
            let names = Categories.names
            let tokens = try await Self.tokens(.category, names)
            return Set(
                zip(names, tokens).map { name, token in
                    ActivityCategory(
                        identifier: name, token: Token(wireText: token),
                        localizedDisplayName: name.prefix(1).uppercased() + name.dropFirst())
                })
        }
    }

    /// One token for each name, in the same order.
    private static func tokens(_ kind: TokenKind, _ names: [String]) async throws -> [String] {
        var tokens: [String] = []
        for start in stride(from: 0, to: names.count, by: NameTokens.subjectsMax) {
            let some = names[start..<min(names.count, start + NameTokens.subjectsMax)]
            tokens += try await ask(
                NameTokens.self, NameTokens.Params(subjects: some.map { TokenSubject(kind, $0) })
            ).tokens
        }
        // An empty list causes no request, so the authorization is checked by an empty one.
        if names.isEmpty { _ = try await ask(NameTokens.self, NameTokens.Params(subjects: [])) }
        return tokens
    }

    private static func ask<M: Method>(_ method: M.Type, _ params: M.Params) async throws -> M.Result {
        do {
            return try await ExtensionLink.Link.shared.call(later: method, params)
        } catch let error as ServiceError {
            throw FamilyControlsError(error)
        }
    }
}
