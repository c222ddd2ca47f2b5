import Contract
import ServiceKit

extension AuthService {
    private static let auditedTypes = [
        RequestCreated.type, RequestDecided.type, AuthorizationChanged.type, MemberChanged.type,
    ]

    func readAudit(_ params: AuditRead.Params) throws -> AuditRead.Result {
        let page = try service.history(after: params.after, types: Self.auditedTypes)
        let entries = try page.items.map(Self.entry).filter {
            params.member == nil || params.member == $0.member
        }
        return AuditRead.Result(
            entries: entries, first: page.first, head: page.head, through: page.through)
    }

    private static func entry(_ item: HistoryPage.Item) throws -> AuditEntry {
        var entry = AuditEntry(sequence: item.sequence, at: item.at, trace: item.trace)
        entry.request = try item.decoded(RequestCreated.self)?.request
            ?? item.decoded(RequestDecided.self)?.request
        entry.authorization = try item.decoded(AuthorizationChanged.self)?.authorization
        if let change = try item.decoded(MemberChanged.self) {
            entry.changed = change.member
            entry.removed = change.removed ? true : nil
        }
        return entry
    }
}
