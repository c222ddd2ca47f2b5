import Bus
import Contract
package import Loop
import ServiceKit
import Time

/// Tells a page whom it is for.
@LoopActor package final class Persons {
    private let services: Services
    private let locale: String?

    /// - Parameter environment: of the process, which names the person's language.
    package init(_ services: Services, environment: [String: String]) {
        self.services = services
        locale = Self.locale(environment)
    }

    func describe(csrf: String) async -> SessionDescription {
        let id = Household.defaultMember
        // Without auth-service the page says what does not run; it needs no name for that.
        let members = try? await services.call(
            MemberList.self, Nothing(), CallOptions(deadline: ConsoleLimits.grace)
        ).members
        let member = members?.first { $0.id == id }
        return SessionDescription(
            csrf: csrf, member: id, name: member?.name, locale: locale, now: WallTime.now, zone: member?.zone,
            dayStartMinutes: member?.dayStartMinutes, methods: API.names, version: Version.program,
            contractVersion: Registry.version)
    }

    /// `ko_KR.UTF-8` as `ko-KR`; nil for C and POSIX. `LANGUAGE` is a list of which the first counts, as in
    /// gettext.
    static func locale(_ environment: [String: String]) -> String? {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first {
            !$0.isEmpty
        }
        guard let named, !isPlain(named) else { return nil }
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

    private static func isPlain(_ name: String) -> Bool {
        ["C", "POSIX"].contains(name.prefix { $0 != "." })
    }
}
