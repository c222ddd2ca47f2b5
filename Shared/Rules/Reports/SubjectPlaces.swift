/// Gives each subject a place, counted from 0 in the order of first use. A hash table that is probed
/// linearly: reports ask it once for each entry of each segment.
package struct SubjectPlaces {
    private struct Slot {
        var subject: Int
        /// -1 in an empty slot.
        var place: Int
    }

    /// As many as a power of two; at most half of them are used.
    private var slots: [Slot] = []
    /// Number of subjects with a place.
    package private(set) var count = 0

    package init() {}

    /// The place of a subject; a new one gets the place ``count``.
    @inline(__always)
    package mutating func place(of subject: Int) -> Int {
        if count * 2 >= slots.count { grow() }
        let mask = slots.count - 1
        var index = Self.hash(subject) & mask
        while slots[index].place >= 0 {
            if slots[index].subject == subject { return slots[index].place }
            index = (index + 1) & mask
        }
        slots[index] = Slot(subject: subject, place: count)
        count += 1
        return count - 1
    }

    /// Spreads consecutive numbers (Fibonacci hashing).
    @inline(__always)
    private static func hash(_ subject: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: Int64(subject)) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inline(never)
    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(subject: 0, place: -1), count: max(16, old.count * 2))
        for slot in old where slot.place >= 0 {
            var index = Self.hash(slot.subject) & (slots.count - 1)
            while slots[index].place >= 0 { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }
}
