package import Contract
package import Units

/// Validates observations: activity-center before storing them, and an import before sending anything. If one
/// of a batch is refused, nothing of the batch is stored.
package struct ObservationCheck {
    /// The latest instant that is accepted.
    let until: Instant

    /// The last millisecond of the year 9999; a later value is no valid time.
    static let latest = latestStamp
    /// How far a live sensor's clock may be ahead of this machine's: one day.
    static let ahead: Milliseconds = 86_400_000
    /// Maximum bytes of a device's name and model.
    static let deviceBytesMax = 128
    /// Maximum number of freedesktop categories of an app.
    package static let categoriesMax = 64

    /// - Parameter isLive: false for an import, whose device may have any time.
    package init(now: Instant, isLive: Bool) {
        until = isLive ? now + Self.ahead : Self.latest
    }

    /// The change that an observation describes.
    /// - Throws: `invalidParams`, with the observation's number.
    package func change(_ given: Observation, number: Int) throws(ServiceError) -> UsageChange {
        let observation = given.withCanonicalDomain
        guard (0...Self.latest).contains(observation.at) else {
            throw timeRefusal(observation.at, number)
        }
        if let elapsed = observation.boottime, !(0...Self.latest.sinceEpoch).contains(elapsed) {
            throw Self.refusal(
                number, "boottime_ms is \(elapsed)", remedy: "Send CLOCK_BOOTTIME in milliseconds.")
        }
        try Self.checkName(observation.app, "app", number)
        // An empty domain is that of pages without a host.
        if observation.domain != "" { try Self.checkName(observation.domain, "domain", number) }
        try Self.checkName(observation.bootID, "boot_id", number)
        try Self.checkName(observation.appName, "app_name", number)
        guard observation.appCategories?.count ?? 0 <= Self.categoriesMax else {
            throw Self.refusal(
                number, "app_categories has more than \(Self.categoriesMax)", remedy: "Send fewer.")
        }
        for category in observation.appCategories ?? [] {
            try Self.checkName(category, "app_categories", number)
        }
        do { return try UsageChange(observation) } catch {
            throw Self.refusal(
                number, error.description, remedy: "See the schema Observation of the contract.")
        }
    }

    /// Checks that the instant of a change is in the accepted range.
    /// - Parameter believed: the instant derived from the boot's clock; nil to use the wall-clock time.
    /// - Throws: `invalidParams`, with the observation's number.
    package func checkTime(of change: UsageChange, believed: Instant?, number: Int) throws(ServiceError) {
        guard believed ?? change.at > until else { return }
        throw timeRefusal(change.at, number)
    }

    private func timeRefusal(_ at: Instant, _ number: Int) -> ServiceError {
        Self.refusal(
            number, "at_ms is \(at); allowed is 0 to \(until)",
            remedy: "Set the device's clock, or send times as UTC milliseconds.")
    }

    /// Checks name and model of a device.
    /// - Throws: `invalidParams`
    package static func check(device: String, model: String?) throws(ServiceError) {
        for (name, text) in [("device", device), ("device_model", model ?? "linux")] {
            try VisibleText.checkName(text, name, bytesMax: deviceBytesMax)
        }
    }

    private static func checkName(_ text: String?, _ field: String, _ number: Int) throws(ServiceError) {
        guard let text, !VisibleText.isName(text) else { return }
        throw refusal(
            number,
            "\(field) has \(text.utf8.count) bytes, or invisible characters; allowed are "
                + "1 to \(Limits.nameBytesMax) bytes of visible text",
            remedy: "Send another name, or leave the field out.")
    }

    private static func refusal(_ number: Int, _ sentence: String, remedy: String) -> ServiceError {
        ServiceError(.invalidParams, "observations[\(number)]: \(sentence)", remedy: remedy)
    }
}

extension Observation {
    /// The observation with the canonical spelling of its domain. Placeholders of deleted domains are
    /// unchanged.
    var withCanonicalDomain: Observation {
        guard let domain, !Subject.domain(domain).isForgotten else { return self }
        var copy = self
        copy.domain = DomainName.spelling(of: domain)
        return copy
    }
}
