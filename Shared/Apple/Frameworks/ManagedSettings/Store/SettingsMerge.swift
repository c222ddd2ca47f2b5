internal import JSON

/// Repeats a change on a value that another writer has changed meanwhile.
enum SettingsMerge {
    /// What `mine` becomes when not `base`, from which it was made, but `present` is there. Names that were
    /// added or removed are added to and removed from the present ones; anything else is as `mine` has it.
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
