package import JSON

/// Exports the observations of one member's devices, device by device, in pages.
///
/// Importing them again gives the same history.
@Method("usage.export", of: .activity, .read, for: .person)
package enum UsageExport: Method {
    /// Whose observations, and where to continue.
    @Record("usage.export.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// Only this device.
        package var device: String?
        /// `next_page` of the previous answer; absent: the first page.
        package var page: String?
    }

    /// One page of observations of one device.
    @Record("usage.export.result")
    package struct Result: Record {
        /// Device of these observations; absent if there are none.
        package var device: String?
        /// For example linux or android.
        package var deviceModel: String?
        /// In the order in which the rules apply them; an app's name comes with its first observation.
        package var observations: [Observation] = []
        /// Pass it as `page` in the next request; absent: this was the last page.
        package var nextPage: String?
    }
}
