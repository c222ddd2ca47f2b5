/// A time of day as people write it: `04:30`.
package struct TimeOfDay: Equatable, Sendable {
    /// After midnight, 0 to 1439.
    package let minutes: Int64

    package init(minutes: Int64) { self.minutes = minutes }

    /// nil unless `text` is HH:MM from 00:00 to 23:59.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            text.utf8.allSatisfy({ (48...58).contains($0) }), let hour = Int64(parts[0]),
            let minute = Int64(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// As the person's clock shows it.
    package var text: String { LocalTime.timeOfDay(minutes: minutes) }
}
