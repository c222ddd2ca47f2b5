/// A time of day as people write it: `04:30`.
struct TimeOfDay: Equatable {
    /// After midnight, 0 to 1439.
    let minutes: Int64

    init(minutes: Int64) { self.minutes = minutes }

    /// nil unless `text` is HH:MM from 00:00 to 23:59.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            text.utf8.allSatisfy({ (48...58).contains($0) }), let hour = Int64(parts[0]),
            let minute = Int64(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        minutes = hour * 60 + minute
    }

    var text: String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(minutes / 60)):\(padded(minutes % 60))"
    }
}
