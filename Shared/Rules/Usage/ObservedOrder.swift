package import Units

extension UsageChange {
    /// Sorts changes of one device into the order a machine needs: by the wall clock. If that was set back
    /// within a boot, changes after the step follow those before it, placed by the boot's clock as if the
    /// wall clock had not been set. Duplicates are dropped.
    package static func ordered(_ changes: [UsageChange]) -> [UsageChange] {
        var places: [(order: Instant, change: UsageChange)] = []
        places.reserveCapacity(changes.count)
        var boots: [String: [UsageChange]] = [:]
        for change in changes {
            if let boot = change.boot {
                boots[boot.id, default: []].append(change)
            } else {
                places.append((change.at, change))
            }
        }
        for changes in boots.values { places += placed(changes) }
        places.sort { left, right in
            if left.order != right.order { return left.order < right.order }
            if left.change.ordinal != right.change.ordinal {
                return left.change.ordinal < right.change.ordinal
            }
            if left.change < right.change { return true }
            if right.change < left.change { return false }
            let (mine, other) = (left.change.boot, right.change.boot)
            return (mine?.id ?? "", mine?.elapsed ?? 0) < (other?.id ?? "", other?.elapsed ?? 0)
        }
        var ordered: [UsageChange] = []
        ordered.reserveCapacity(places.count)
        for place in places where place.change != ordered.last { ordered.append(place.change) }
        return ordered
    }

    /// Smaller steps back are two sensors' readings of the same clock.
    package static let smallestStepBack: Milliseconds = 1_000

    /// Changes of one boot, with their instants as if the wall clock had never been set back.
    private static func placed(_ changes: [UsageChange]) -> [(order: Instant, change: UsageChange)] {
        func elapsed(_ change: UsageChange) -> Milliseconds { change.boot?.elapsed ?? 0 }
        let sorted = changes.sorted { left, right in
            elapsed(left) != elapsed(right) ? elapsed(left) < elapsed(right) : left < right
        }
        var correction: Milliseconds = 0
        var previous: (order: Instant, elapsed: Milliseconds)?
        return sorted.map { change in
            if let previous, previous.elapsed < elapsed(change),
                change.at + correction < previous.order - smallestStepBack
            {
                let passed = elapsed(change) - previous.elapsed
                correction = previous.order + passed - change.at
            }
            let order = change.at + correction
            previous = (order, elapsed(change))
            let placed = UsageChange(
                at: order, ordinal: change.ordinal, boot: change.boot, change.kind)
            return (order, placed)
        }
    }
}
