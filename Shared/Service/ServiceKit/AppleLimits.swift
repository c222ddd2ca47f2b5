import Contract
import Units

extension AppleLimits {
    /// - Parameter value: returns the value of an environment variable.
    init(_ value: (String) -> String?) throws(ServiceError) {
        switch value("SCREENTIME_STRICT") ?? "0" {
        case "0": self.init()
        case "1": self = .strict
        case let other: throw Configuration.wrong("SCREENTIME_STRICT", other, "0 or 1")
        }
        func number(_ key: String) throws(ServiceError) -> Int64? {
            guard let text = value(key) else { return nil }
            guard let number = WholeNumber.of(text), number >= 1 else {
                throw Configuration.wrong(key, text, "a whole number from 1")
            }
            return number
        }
        if let most = try number("SCREENTIME_ACTIVITIES_MAX") { activitiesMax = most }
        if let least = try number("SCREENTIME_INTERVAL_MS_MIN") { intervalMin = Milliseconds(least) }
        if let most = try number("SCREENTIME_INTERVAL_MS_MAX") { intervalMax = Milliseconds(most) }
        if let most = try number("SCREENTIME_STORES_MAX") { storesMax = most }
        if let most = try number("SCREENTIME_TOKENS_MAX") { tokensMax = most }
    }
}
