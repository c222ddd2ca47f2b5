extension UsageChange {
    /// Changes of one device in any order, in the one in which a machine wants them: by the wall clock. Where
    /// that was set back within a boot they go on after what was before, as the boot's own clock says, and as
    /// if nobody had touched it (design 4). Repeated ones come once.
    package static func ordered(_ changes: [UsageChange]) -> [UsageChange] {
        var places: [(order_ms: Int64, change: UsageChange)] = []
        places.reserveCapacity(changes.count)
        var boots: [String: [UsageChange]] = [:]
        for change in changes {
            if let boot = change.boot {
                boots[boot.id, default: []].append(change)
            } else {
                places.append((change.at_ms, change))
            }
        }
        for changes in boots.values { places += placed(changes) }
        places.sort { left, right in
            if left.order_ms != right.order_ms { return left.order_ms < right.order_ms }
            if left.change.ordinal != right.change.ordinal {
                return left.change.ordinal < right.change.ordinal
            }
            if left.change < right.change { return true }
            if right.change < left.change { return false }
            let (mine, other) = (left.change.boot, right.change.boot)
            return (mine?.id ?? "", mine?.elapsed_ms ?? 0) < (other?.id ?? "", other?.elapsed_ms ?? 0)
        }
        var ordered: [UsageChange] = []
        ordered.reserveCapacity(places.count)
        for place in places where place.change != ordered.last { ordered.append(place.change) }
        return ordered
    }

    /// Smaller steps are two sensors' different readings of one clock.
    package static let smallestStepBack_ms: Int64 = 1_000

    /// Changes of one boot with their places on the wall clock as if it had never been set back.
    private static func placed(_ changes: [UsageChange]) -> [(order_ms: Int64, change: UsageChange)] {
        func elapsed_ms(_ change: UsageChange) -> Int64 { change.boot?.elapsed_ms ?? 0 }
        let sorted = changes.sorted { left, right in
            elapsed_ms(left) != elapsed_ms(right) ? elapsed_ms(left) < elapsed_ms(right) : left < right
        }
        var correction_ms: Int64 = 0
        var previous: (order_ms: Int64, elapsed_ms: Int64)?
        return sorted.map { change in
            if let previous, previous.elapsed_ms < elapsed_ms(change),
                change.at_ms + correction_ms < previous.order_ms - smallestStepBack_ms
            {
                let passed_ms = elapsed_ms(change) - previous.elapsed_ms
                correction_ms = previous.order_ms + passed_ms - change.at_ms
            }
            let order_ms = change.at_ms + correction_ms
            previous = (order_ms, elapsed_ms(change))
            let placed = UsageChange(
                at_ms: order_ms, ordinal: change.ordinal, boot: change.boot, change.kind)
            return (order_ms, placed)
        }
    }
}
