import Bus
import Contract
package import Loop
import ServiceKit
import Time

/// Tells a page whom it is for.
@LoopActor package final class Persons {
    private let services: Services
    private let locale: String?
    private let region: String?

    /// - Parameter environment: of the process, which names the person's language and region.
    package init(_ services: Services, environment: [String: String]) {
        self.services = services
        locale = Self.locale(environment)
        region = Self.region(environment)
    }

    func describe(csrf: String) async -> SessionDescription {
        let id = Household.defaultMember
        // Without auth-service the page says what does not run; it needs no name for that.
        let members = try? await services.call(
            MemberList.self, Nothing(), CallOptions(deadline: ConsoleLimits.grace)
        ).members
        let member = members?.first { $0.id == id }
        return SessionDescription(
            csrf: csrf, member: id, name: member?.name, locale: locale, region: region, now: WallTime.now,
            zone: member?.zone, dayStartMinutes: member?.dayStartMinutes, methods: API.names,
            version: Version.program, contractVersion: Registry.version)
    }

    /// `ko_KR.UTF-8` as `ko-KR`; nil for C and POSIX. `LANGUAGE` is a list of which the first counts, as in
    /// gettext.
    static func locale(_ environment: [String: String]) -> String? {
        guard let named = name(of: "LC_MESSAGES", environment) else { return nil }
        let first = environment["LANGUAGE"]?.split(separator: ":").first.map(String.init)
        let word = (first ?? named).prefix { $0 != "." && $0 != "@" }
        let parts = word.split(separator: "_")
        let isTag =
            !parts.isEmpty
            && parts.allSatisfy { part in
                part.utf8.count <= 8
                    && part.utf8.allSatisfy {
                        (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0)
                    }
            }
        return isTag ? parts.joined(separator: "-") : nil
    }

    /// `en_GB.UTF-8` as `GB`: whose dates, numbers and weeks; nil for C, POSIX and a language without one.
    static func region(_ environment: [String: String]) -> String? {
        let parts = name(of: "LC_TIME", environment)?.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        guard let region = parts?.dropFirst().first else { return nil }
        let isLetters = region.utf8.count == 2 && region.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isLetters ? String(region) : nil
    }

    /// What the C library takes for a category; nil for C and POSIX.
    private static func name(of category: String, _ environment: [String: String]) -> String? {
        let named = ["LC_ALL", category, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return named.flatMap { isPlain($0) ? nil : $0 }
    }

    private static func isPlain(_ name: String) -> Bool {
        ["C", "POSIX"].contains(name.prefix { $0 != "." })
    }
}
