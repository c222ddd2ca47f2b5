import Contract

extension EventDefinition {
    /// Whether use of an app counts (docs/time.md, section 6).
    /// - Parameter category: nil if unknown.
    func counts(_ app: String, category: String?) -> Bool {
        if applications?.contains(app) == true { return true }
        if except?.applications?.contains(app) == true { return false }
        if let category, except?.categories?.contains(category) == true { return false }
        if let category, categories?.contains(category) == true { return true }
        return [applications, categories, webDomains].allSatisfy { $0?.isEmpty ?? true }
    }
}
