import Contract
import ServiceKit

extension AuthService {
    /// The present state as events: all members, then all authorizations.
    func snapshotPage(_ page: String?) throws -> SnapshotPage {
        let start = try page.map(Self.offset) ?? 0
        let people = try members.all().map { MemberChanged(member: $0) }
        let rights = try authorizations.all().map { AuthorizationChanged(authorization: $0) }
        let end = min(people.count + rights.count, start + AuthLimits.snapshotRowsMax)
        let events = (start..<max(start, end)).map { index in
            index < people.count
                ? service.snapshotEvent(people[index]) : service.snapshotEvent(rights[index - people.count])
        }
        return SnapshotPage(
            events: events, nextPage: end < people.count + rights.count ? String(end) : nil)
    }

    private static func offset(_ page: String) throws(ServiceError) -> Int {
        guard let offset = Int(page), offset >= 0 else {
            throw ServiceError(
                .invalidParams, "page is not one that this service gave",
                remedy: "Pass next_page of the previous answer, or leave it out.")
        }
        return offset
    }
}
