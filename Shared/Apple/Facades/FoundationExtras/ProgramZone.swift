import Foundation
import Glibc

/// The time zone of a program: that of the member it is about, as on the member's own device.
/// `Calendar.current` and schedules without a time zone thus follow the member's days.
package enum ProgramZone {
    /// - Parameter name: an IANA identifier. It applies to the whole process and to processes that it starts.
    /// Unknown identifiers are ignored.
    package static func enter(_ name: String) {
        guard getenv("TZ").map({ String(cString: $0) }) != name, TimeZone(identifier: name) != nil else {
            return
        }
        setenv("TZ", name, 1)
        tzset()
        NSTimeZone.resetSystemTimeZone()
    }
}
