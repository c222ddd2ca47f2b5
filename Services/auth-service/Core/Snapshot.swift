import Contract
import Loop
package import ServiceKit

extension AuthService {
    /// The present state as events: all members, authorizations, selections, and requests that are pending
    /// or in effect, sorted by key. A page token is the last key of the previous page, so rows added or
    /// removed meanwhile do not shift others.
    package func snapshot(_ page: String?) throws -> SnapshotPage {
        guard page.map({ Self.isPage($0) }) ?? true else {
            throw ServiceError(
                .invalidParams, "page is not a token of this service",
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

    /// First part of a key. Members come first because the others refer to them.
    private static let kinds = ["1", "2", "3", "4"]

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
        let asked = try requests.present(at: time.now).map { [service] request in
            SnapshotRow(Self.kinds[3], request.id) {
                request.state == .pending
                    ? service.snapshotEvent(RequestCreated(request: request))
                    : service.snapshotEvent(RequestDecided(request: request))
            }
        }
        return people + rights + chosen + asked
    }
}
