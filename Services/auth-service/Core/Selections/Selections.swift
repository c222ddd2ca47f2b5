import Bus
import Contract
import ServiceKit

/// What the person selected for an app. Owned here, beside the app's authorization.
extension AuthService {
    func answerSelectionMethods() {
        service.write(SelectionSet.self) { [unowned self] params, context, transaction in
            try setSelection(params, context, transaction)
        }
        service.read(SelectionRead.self) { [unowned self] key, context in
            SelectionRead.Result(selection: try selection(key, context))
        }
        service.read(SelectionList.self) { [unowned self] params, context in
            guard let own = context.client else {
                return SelectionList.Result(
                    selections: try selections.all(client: params.client, member: params.member))
            }
            let client = try Self.client(params.client, context) ?? own
            return SelectionList.Result(
                selections: try selections.all(client: client, member: service.member(params.member)))
        }
        service.write(SelectionRemove.self) { [unowned self] key, context, transaction in
            try forget(try selection(key, context), transaction)
            return try transaction.written()
        }
    }

    private func setSelection(
        _ params: SelectionSet.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> SelectionSet.Result {
        guard let client = try Self.client(params.client, context) else { throw Self.noClient }
        try Validation.bundleID(client)
        try Validation.selectionName(params.name)
        for names in [params.applications, params.categories, params.webDomains] {
            guard names.count <= AuthLimits.selectionNamesMax else {
                throw ServiceError(
                    .limitExceeded,
                    "a list of \(names.count) names, \(AuthLimits.selectionNamesMax) are allowed",
                    remedy: "Choose categories instead.")
            }
            for name in names { try Validation.subject(name) }
        }
        let selection = Selection(
            name: params.name, client: client, member: service.member(params.member),
            applications: Set(params.applications).sorted(), categories: Set(params.categories).sorted(),
            webDomains: Set(params.webDomains.map { DomainName.spelling(of: $0) }).sorted(),
            includeEntireCategory: params.includeEntireCategory ?? false, changed: service.clock.now)
        let known = try selections.find(client: client, member: selection.member, name: params.name)
        let count = try selections.count()
        guard known != nil || count < Int64(AuthLimits.selectionsMax) else {
            throw ServiceError(
                .limitExceeded, "\(count) selections are saved, \(AuthLimits.selectionsMax) are allowed",
                remedy: "Remove some with `screentime selection remove NAME`.")
        }
        try save(selection)
        try transaction.emit(SelectionChanged(selection: selection), subject: client)
        return SelectionSet.Result(selection: selection, sequence: try transaction.head())
    }

    /// Making a selection smaller is always allowed, because an older version had larger limits.
    /// - Throws: `limitExceeded`; the write is then undone.
    private func save(_ selection: Selection) throws {
        let limits = [
            (selection.client, "selectionBytesPerClientMax", AuthLimits.selectionBytesPerClientMax),
            (nil, "selectionBytesMax", AuthLimits.selectionBytesMax),
        ]
        let before = try limits.map { try selections.weight(of: $0.0) }
        try selections.save(selection)
        for ((client, limit, most), before) in zip(limits, before) {
            let bytes = try selections.weight(of: client)
            guard bytes > most, bytes > before else { continue }
            throw ServiceError(
                .limitExceeded,
                "the selections\(client == nil ? "" : " of the app") would take more than \(most) bytes "
                    + "(\(limit))",
                remedy: "Choose categories instead, or remove some with `screentime selection remove NAME`.")
        }
    }

    private func selection(_ key: SelectionKey, _ context: RequestContext) throws -> Selection {
        guard let client = try Self.client(key.client, context) else { throw Self.noClient }
        let member = service.member(key.member)
        guard let found = try selections.find(client: client, member: member, name: key.name) else {
            throw ServiceError(
                .notFound, "\(client) has no selection with this name",
                remedy: "Make one with `screentime selection create NAME --client "
                    + "\(VisibleText.shellWord(client))`.")
        }
        return found
    }

    func forget(_ selection: Selection, _ transaction: Transaction) throws {
        try selections.delete(selection)
        try transaction.emit(
            SelectionChanged(selection: selection, removed: true), subject: selection.client)
    }

    /// An app may only name itself, or nobody.
    private static func client(
        _ named: String?, _ context: RequestContext
    ) throws(ServiceError) -> String? {
        guard let own = context.client else { return named }
        guard named == nil || named == own else {
            throw ServiceError(
                .accessDenied, "an app can access only its own selections", remedy: "Leave the client out.")
        }
        return own
    }

    private static let noClient = ServiceError(
        .invalidParams, "a selection belongs to an app, but client is missing",
        remedy: "Send the app's bundle id as client.")
}
