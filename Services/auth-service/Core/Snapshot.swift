import Contract
import Loop
import ServiceKit

extension AuthService {
    /// The present state as events: all members, all authorizations, all selections, each by its key. A page
    /// is named by the last key of the one before it, so that rows that come or go meanwhile move no other.
    func snapshotPage(_ page: String?) throws -> SnapshotPage {
        guard page.map({ Self.isPage($0) }) ?? true else {
            throw ServiceError(
                .invalidParams, "page is not one that this service gave",
                remedy: "Pass next_page of the previous answer, or leave it out.")
        }
        var result = SnapshotPage()
        var last: String?
        for row in try snapshotRows().filter({ row in page.map { row.key > $0 } ?? true })
            .sorted(by: { $0.key < $1.key })
        {
            guard result.add([row.event()]) else {
                result.nextPage = last
                break
            }
            last = row.key
        }
        return result
    }

    private struct SnapshotRow {
        let key: String
        let event: @LoopActor () -> [UInt8]

        init(_ parts: String..., event: @escaping @LoopActor () -> [UInt8]) {
            key = parts.joined(separator: "\u{1f}")
            self.event = event
        }
    }

    /// The first part of a key: members come first, since the others are about them.
    private static let kinds = ["1", "2", "3"]

    private static func isPage(_ page: String) -> Bool {
        kinds.contains { page.hasPrefix($0 + "\u{1f}") }
    }

    private func snapshotRows() throws -> [SnapshotRow] {
        let people = try members.all().map { [service] member in
            SnapshotRow(Self.kinds[0], member.id) { service.snapshotEvent(MemberChanged(member: member)) }
        }
        let rights = try authorizations.all().map { [service] right in
            SnapshotRow(Self.kinds[1], right.id) {
                service.snapshotEvent(AuthorizationChanged(authorization: right))
            }
        }
        let chosen = try selections.all().map { [service] selection in
            SnapshotRow(Self.kinds[2], selection.client, selection.member, selection.name) {
                service.snapshotEvent(SelectionChanged(selection: selection))
            }
        }
        return people + rights + chosen
    }
}
