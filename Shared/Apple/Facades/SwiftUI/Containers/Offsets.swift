public import Foundation

extension RangeReplaceableCollection where Self: MutableCollection {
    /// Removes the elements at `offsets`.
    public mutating func remove(atOffsets offsets: IndexSet) {
        var kept = Self()
        for (offset, element) in enumerated() where !offsets.contains(offset) { kept.append(element) }
        self = kept
    }
}

extension MutableCollection {
    /// Moves the elements at `source`, in order, in front of the element at `destination`.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let moved = all.enumerated().filter { source.contains($0.offset) }.map(\.element)
        let before = all.enumerated().filter { $0.offset < destination && !source.contains($0.offset) }
        let after = all.enumerated().filter { $0.offset >= destination && !source.contains($0.offset) }
        let order = before.map(\.element) + moved + after.map(\.element)
        for (index, element) in zip(indices, order) { self[index] = element }
    }
}
