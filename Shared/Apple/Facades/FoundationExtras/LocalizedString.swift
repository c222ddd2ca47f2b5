public import Foundation

// Foundation's NSLocalizedString knows only tables of its own finding. A call that leaves out at least one of
// its arguments fits one of these better; a call with all of them is Foundation's.

/// The words of a table for a key in the person's language; `value`, or else the key, where no table has it.
/// - Parameter comment: for translators.
public func NSLocalizedString(_ key: String, comment: String) -> String {
    localized(key, nil, .main, "")
}

/// As above.
public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
    localized(key, tableName, .main, "")
}

/// As above.
public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
    localized(key, nil, bundle, "")
}

/// As above.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
    localized(key, nil, .main, value)
}

/// As above.
public func NSLocalizedString(_ key: String, tableName: String?, bundle: Bundle, comment: String) -> String {
    localized(key, tableName, bundle, "")
}

/// As above.
public func NSLocalizedString(_ key: String, tableName: String?, value: String, comment: String) -> String {
    localized(key, tableName, .main, value)
}

/// As above.
public func NSLocalizedString(_ key: String, bundle: Bundle, value: String, comment: String) -> String {
    localized(key, nil, bundle, value)
}

private func localized(_ key: String, _ tableName: String?, _ bundle: Bundle, _ value: String) -> String {
    guard let text = LocalizedTables.text(key, table: tableName, in: bundle) else {
        return value.isEmpty ? key : value
    }
    // Without a number there is no plural: the words for many.
    return text.plurals.reduce(text.template) { template, plural in
        template.replacingOccurrences(of: "%#@\(plural.key)@", with: plural.value["other"] ?? "")
    }
}
