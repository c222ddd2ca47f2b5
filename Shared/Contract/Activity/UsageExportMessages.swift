package import JSON

/// The observations of one member's devices, device by device, in pages.
///
/// Enough to build the same history again.
@Method("usage.export", of: .activity, .read, for: .person)
package enum UsageExport: Method {
    @Record("usage.export.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// Only this device.
        package var device: String?
        /// next_page of the answer before; absent: the first.
        package var page: String?
    }

    @Record("usage.export.result")
    package struct Result: Record {
        /// Whose observations these are; absent: there are none.
        package var device: String?
        /// linux, android, and so on.
        package var deviceModel: String?
        /// In the order in which the rules take them; names of apps come with their first one.
        package var observations: [Observation] = []
        /// Ask for it next; absent: this was the last.
        package var nextPage: String?
    }
}
