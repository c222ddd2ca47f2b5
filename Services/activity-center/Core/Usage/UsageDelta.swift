import Rules

/// A change of a stream's stored uses and marks.
struct UsageDelta {
    var added = UsageOutput()
    var removed = UsageOutput()

    init() {}

    /// The difference between `old` and `new`.
    init(from old: UsageOutput, to new: UsageOutput) {
        (removed.uses, added.uses) = Self.difference(old.uses, new.uses)
        (removed.marks, added.marks) = Self.difference(old.marks, new.marks)
    }

    private static func difference<Item: Hashable>(_ old: [Item], _ new: [Item]) -> ([Item], [Item]) {
        var missing: [Item: Int] = [:]
        for item in old { missing[item, default: 0] += 1 }
        var extra: [Item] = []
        for item in new {
            if let count = missing[item], count > 0 { missing[item] = count - 1 } else { extra.append(item) }
        }
        return (missing.flatMap { repeatElement($0.key, count: $0.value) }, extra)
    }
}
