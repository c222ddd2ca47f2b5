import Foundation
import Glibc

/// The time zone of a program: that of the member whose callback runs, as on a device of the member's. So
/// `Calendar.current` and schedules without a zone of their own go by the clock that the occurrence went by.
enum ProgramZone {
    /// - Parameter name: IANA. From now on the whole process lives in it.
    static func enter(_ name: String) {
        guard getenv("TZ").map({ String(cString: $0) }) != name else { return }
        setenv("TZ", name, 1)
        tzset()
        NSTimeZone.resetSystemTimeZone()
    }
}
