public import Foundation

// Foundation's NSLocalizedString only finds tables at its own locations. The compiler prefers these overloads
// if at least one argument is omitted; a call with all arguments uses Foundation's.

/// Looks up a key in the main bundle's `Localizable` table in the person's language. Returns the key if no
/// table contains it.
/// - Parameter comment: a note for translators; ignored.
public func NSLocalizedString(_ key: String, comment: String) -> String {
    localized(key, nil, .main, "")
}

/// The same in the table `tableName`.
public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
    localized(key, tableName, .main, "")
}

/// The same in another bundle.
public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
    localized(key, nil, bundle, "")
}

/// The same; returns `value` if no table contains the key.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
    localized(key, nil, .main, value)
}

/// The same in a table of another bundle.
public func NSLocalizedString(_ key: String, tableName: String?, bundle: Bundle, comment: String) -> String {
    localized(key, tableName, bundle, "")
}

/// The same in the table `tableName`; returns `value` if it does not contain the key.
public func NSLocalizedString(_ key: String, tableName: String?, value: String, comment: String) -> String {
    localized(key, tableName, .main, value)
}

/// The same in another bundle; returns `value` if no table contains the key.
public func NSLocalizedString(_ key: String, bundle: Bundle, value: String, comment: String) -> String {
    localized(key, nil, bundle, value)
}

private func localized(_ key: String, _ tableName: String?, _ bundle: Bundle, _ value: String) -> String {
    guard let text = LocalizedTables.text(key, table: tableName, in: bundle) else {
        return value.isEmpty ? key : value
    }
    // Without a number the "other" variant of each plural is used.
    return text.plurals.reduce(text.template) { template, plural in
        template.replacingOccurrences(of: "%#@\(plural.key)@", with: plural.value["other"] ?? "")
    }
}
