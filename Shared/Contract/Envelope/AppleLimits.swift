package import Units

/// Limits that Apple's systems have and ours need not have: all off by default, all on where `strict` is.
/// One that is set by its own key holds in either case.
package struct AppleLimits: Hashable, Sendable {
    /// Activities of one client for one member at a time: 20.
    package var activitiesMax: Int64?
    /// Nominal length of an interval, milliseconds: 15 minutes.
    package var intervalMin: Milliseconds?
    /// Nominal length of an interval, milliseconds: one week.
    package var intervalMax: Milliseconds?
    /// Managed-settings stores of one client for one member: 50.
    package var storesMax: Int64?
    /// Names in one list of a managed-settings store, and categories in one policy: 50.
    package var tokensMax: Int64?

    package init(
        activitiesMax: Int64? = nil, intervalMin: Milliseconds? = nil, intervalMax: Milliseconds? = nil,
        storesMax: Int64? = nil, tokensMax: Int64? = nil
    ) {
        self.activitiesMax = activitiesMax
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.storesMax = storesMax
        self.tokensMax = tokensMax
    }

    package static let strict = AppleLimits(
        activitiesMax: 20, intervalMin: .minutes(15), intervalMax: .days(7), storesMax: 50,
        tokensMax: 50)
}
