import Foundation
import Glibc

/// The time zone of a program: that of the member whom it is about, as on a device of the member's. So
/// `Calendar.current` and schedules without a zone of their own go by the clock that the member's days go by.
package enum ProgramZone {
    /// - Parameter name: IANA. From now on the whole process lives in it, and what it starts. One that this
    ///   machine does not know changes nothing.
    package static func enter(_ name: String) {
        guard getenv("TZ").map({ String(cString: $0) }) != name, TimeZone(identifier: name) != nil else {
            return
        }
        setenv("TZ", name, 1)
        tzset()
        NSTimeZone.resetSystemTimeZone()
    }
}
