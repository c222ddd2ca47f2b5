internal import JSON

/// Reapplies a change to a value that another writer has changed.
enum SettingsMerge {
    /// The value to write if `mine` was made from `base` but the store now holds `present`. In lists, the
    /// elements that were added and removed are applied to the present ones; anything else is taken from
    /// `mine`.
    static func merge(base: JSONValue, mine: JSONValue, present: JSONValue) -> JSONValue {
        if let base = base.names, let mine = mine.names, let present = present.names {
            let names = present.subtracting(base.subtracting(mine)).union(mine.subtracting(base))
            return .array(names.sorted().map { .string($0) })
        }
        guard base["policy"] != nil, base["policy"] == mine["policy"], base["policy"] == present["policy"],
            let members = mine.objectValue
        else { return mine }
        return .object(
            members.map { key, value in
                guard value.arrayValue != nil else { return (key: key, value: value) }
                return (
                    key: key,
                    value: merge(base: base[key] ?? [], mine: value, present: present[key] ?? [])
                )
            })
    }
}

extension JSONValue {
    fileprivate var names: Set<String>? {
        guard let values = arrayValue else { return nil }
        return Set(values.compactMap(\.stringValue))
    }
}
