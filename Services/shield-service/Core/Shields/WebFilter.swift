import Contract
import JSON
import Rules

/// The meaning of `webContent.blockedByFilter` in one store for a site. Nothing on Linux enforces it, so
/// `explain` says which setting decides and which has no effect.
struct WebFilter {
    static let key = "webContent.blockedByFilter"
    private let policy: String
    private let domains: Set<String>
    private let except: Set<String>

    /// Nil if the store does not have the setting.
    init?(_ store: SettingsStore) {
        guard let value = store.settings.first(where: { $0.key == Self.key })?.value else { return nil }
        func names(_ members: String...) -> Set<String> {
            let all = members.flatMap { value[$0]?.arrayValue ?? [] }
            return Set(all.compactMap { $0.stringValue.map { DomainName.spelling(of: $0) } })
        }
        policy = value["policy"]?.stringValue ?? "none"
        domains = names("domains", "domainsByName")
        except = names("except", "exceptByName")
    }

    /// - Parameter host: as spelled by `DomainName`.
    /// - Returns: the effect as the end of a sentence; nil if the setting does not concern the site.
    func meaning(for host: String) -> String? {
        if policy == "all" || policy == "auto", let name = except.covering(host: host) {
            return "excepts '\(name)' by \(Self.key)"
        }
        switch policy {
        case "all": return "blocks every site by \(Self.key)"
        case "specific", "auto":
            return domains.covering(host: host).map { "blocks '\($0)' by \(Self.key)" }
        default: return nil
        }
    }
}

extension Explanation {
    func webSettings(_ name: String) -> [String] {
        let stores = state.stores.filter { $0.key.member == member && $0.value.store.active }
        // A name without a dot is rarely a site.
        let isSite = name.contains(".")
        let host = DomainName.spelling(of: name)
        return stores.sorted { ($0.key.client, $0.key.name) < ($1.key.client, $1.key.name) }.compactMap {
            key, stored in
            guard isSite, let meaning = WebFilter(stored.store)?.meaning(for: host) else {
                return nil
            }
            let why = SettingTable[WebFilter.key]?.whyWithoutEffect
            let reason = why.map { ", which has no effect here: \($0)" } ?? ""
            return "Store '\(key.name)' of \(key.client) \(meaning)\(reason)."
        }
    }
}
