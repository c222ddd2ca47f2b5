package import Contract
package import JSON

/// By which clock and in which time zone the app's member lives.
///
/// `app-link` answers it itself.
@Method("clock", of: .activity, .read, for: .anyone)
package enum LinkClock: Method {
    package typealias Params = Nothing

    @Record("clock.result")
    package struct Result: Record {
        /// The page of a virtual clock; absent: the machine's clock.
        package var page: String?
        /// What makes a program live by the page, preloaded.
        package var library: String?
        /// IANA time zone of the member; absent: the machine's.
        package var zone: String?
        /// Why nobody could say whether the member has a zone; absent: it is known.
        package var zoneUnknown: String?
    }
}
