package import Contract
package import JSON

/// Returns the clock and the time zone for the app's member.
///
/// `app-link` answers it itself.
@Method("clock", of: .activity, .read, for: .anyone)
package enum LinkClock: Method {
    package typealias Params = Nothing

    /// The clock and the zone for the member.
    @Record("clock.result")
    package struct Result: Record {
        /// Path of the page of a virtual clock; absent: the machine's clock.
        package var page: String?
        /// Path of the clock library to preload.
        package var library: String?
        /// IANA time zone of the member; absent: the machine's.
        package var zone: String?
        /// Why the zone could not be determined; absent if it is known.
        package var zoneUnknown: String?
    }
}
