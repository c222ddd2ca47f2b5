internal import Contract
internal import ExtensionLink
internal import FoundationExtras
internal import ManagedSettings

/// Not in Apple's API: selections that the person made with `screentime selection`, or that the app saved.
extension FamilyActivitySelection {
    /// The selection that is saved for this app under a name, or nil if there is none.
    ///
    /// Waits for the services, at most for the link's deadline (5 s).
    /// - Throws: ``FamilyControlsError``
    public static func saved(named name: String) throws -> FamilyActivitySelection? {
        do throws(ServiceError) {
            return Self(
                try ExtensionLink.Link.shared.call(SelectionRead.self, SelectionKey(name: name)).selection)
        } catch {
            guard error.name != .notFound else { return nil }
            throw FamilyControlsError(error)
        }
    }

    /// The names of the selections saved for this app, sorted.
    /// - Throws: ``FamilyControlsError``
    public static func savedNames() throws -> [String] {
        do throws(ServiceError) {
            return try ExtensionLink.Link.shared.call(SelectionList.self, SelectionList.Params()).selections
                .map(\.name)
        } catch {
            throw FamilyControlsError(error)
        }
    }

    /// Saves the selection for this app. Replaces a selection of the same name.
    /// - Throws: ``FamilyControlsError``, which is `invalidArgument` if the selection contains a void token.
    public func save(named name: String) throws {
        let params = SelectionSet.Params(
            name: name, applications: applicationTokens.map(\.wireText),
            categories: categoryTokens.map(\.wireText), webDomains: webDomainTokens.map(\.wireText),
            includeEntireCategory: includeEntireCategory)
        do throws(ServiceError) { _ = try ExtensionLink.Link.shared.call(SelectionSet.self, params) } catch {
            throw FamilyControlsError(error)
        }
    }

    init(_ selection: Selection) {
        self.init(includeEntireCategory: selection.includeEntireCategory)
        applicationTokens = Set(selection.applications.compactMap { Token(wireText: $0) })
        categoryTokens = Set(selection.categories.compactMap { Token(wireText: $0) })
        webDomainTokens = Set(selection.webDomains.compactMap { Token(wireText: $0) })
    }
}
