import Contract
import ServiceKit

extension AuthService {
    /// The present state as events: all members, all authorizations, all selections.
    func snapshotPage(_ page: String?) throws -> SnapshotPage {
        let start = try page.map(Self.offset) ?? 0
        let people = try members.all().map { MemberChanged(member: $0) }
        let rights = try authorizations.all().map { AuthorizationChanged(authorization: $0) }
        let chosen = try selections.all().map { SelectionChanged(selection: $0) }
        let count = people.count + rights.count + chosen.count
        func event(_ index: Int) -> [UInt8] {
            if index < people.count { return service.snapshotEvent(people[index]) }
            let index = index - people.count
            return index < rights.count
                ? service.snapshotEvent(rights[index]) : service.snapshotEvent(chosen[index - rights.count])
        }
        var result = SnapshotPage()
        for index in start..<max(start, count) where !result.add([event(index)]) {
            result.nextPage = String(index)
            break
        }
        return result
    }

    private static func offset(_ page: String) throws(ServiceError) -> Int {
        // Far beyond all rows, and far from where adding a page would overflow.
        guard let offset = Int(page), (0...Int(Int32.max)).contains(offset) else {
            throw ServiceError(
                .invalidParams, "page is not one that this service gave",
                remedy: "Pass next_page of the previous answer, or leave it out.")
        }
        return offset
    }
}
