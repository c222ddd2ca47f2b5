import Contract
package import Schedules
package import ServiceKit

extension Service {
    /// A member's own zone, else the machine's. The machine's also replaces a zone that is unknown here;
    /// auth-service refuses those.
    package func zone(of member: String) -> Zone {
        guard let name = household.member(member)?.zone else { return .current }
        do { return try Zone(name) } catch {
            log.warnOnce(
                "zone.\(name)", "a member's time zone is unknown on this machine", [("zone", .text(name))])
            return .current
        }
    }
}
