/// Limits that Apple has and we do not need. None is on unless somebody asks for it.
package struct MonitoringLimits: Hashable, Sendable {
    /// Activities that a client may monitor for one member at a time.
    package var activitiesMax: Int?
    /// Nominal length of an interval.
    package var intervalMin_ms: Int64?
    package var intervalMax_ms: Int64?

    package init(activitiesMax: Int? = nil, intervalMin_ms: Int64? = nil, intervalMax_ms: Int64? = nil) {
        self.activitiesMax = activitiesMax
        self.intervalMin_ms = intervalMin_ms
        self.intervalMax_ms = intervalMax_ms
    }

    /// As DeviceActivityCenter has them: 20 activities, 15 minutes to a week.
    package static let apple = MonitoringLimits(
        activitiesMax: 20, intervalMin_ms: 15 * 60_000, intervalMax_ms: 7 * 86_400_000)
}
