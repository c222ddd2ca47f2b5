package import Units

/// Limits of Apple's systems that this one need not enforce. All are off by default; `strict` sets all of
/// them. A limit that is configured by its own key has precedence over `strict`.
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

    /// Nil switches a limit off.
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

    /// Apple's values.
    package static let strict = AppleLimits(
        activitiesMax: 20, intervalMin: .minutes(15), intervalMax: .days(7), storesMax: 50,
        tokensMax: 50)
}
