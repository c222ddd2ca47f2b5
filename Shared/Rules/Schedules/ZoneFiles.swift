import Glibc
import Synchronization

/// The system's time-zone data (the package tzdata), in which names are looked up. Read once, and again after
/// an update.
enum ZoneFiles {
    /// Files larger than this are no zones; the largest one of tzdata has 3.6 KB.
    private static let bytesMax = 65_536
    /// Known zones; when there are more, all are forgotten.
    private static let zonesMax = 64

    private struct Known {
        var rules: ZoneRules
        var stamp: Stamp
    }

    /// Changes when the file is replaced.
    private struct Stamp: Equatable {
        var device, inode: UInt
        var size, seconds, nanoseconds: Int
    }

    private static let known = Mutex<[String: Known]>([:])

    /// Of an IANA name, or of Foundation's names of fixed offsets (`GMT+0530`); nil if there is none.
    static func rules(_ name: String, in directory: String? = nil) -> ZoneRules? {
        if name == "UTC" || name == "GMT" { return ZoneRules(fixed: 0) }
        guard isName(name) else { return nil }
        let path = "\(directory ?? self.directory)/\(name)"
        guard let stamp = stamp(path) else { return fixedOffset(name).map { ZoneRules(fixed: $0) } }
        return known.withLock { known in
            if let one = known[path], one.stamp == stamp { return one.rules }
            guard let bytes = contents(path), let rules = ZoneRules(bytes) else { return nil }
            if known.count >= zonesMax { known = [:] }
            known[path] = Known(rules: rules, stamp: stamp)
            return rules
        }
    }

    private static var directory: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// Every IANA name begins with a capital letter; `posix/`, `right/` and `localtime` of that directory do
    /// not. No part of a path is `.` or `..`.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
            name.utf8.count <= 255
        else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
    }

    /// `GMT+hhmm` or `GMT-hhmm`, up to 18 hours, in seconds.
    private static func fixedOffset(_ name: String) -> Int32? {
        let digits = name.dropFirst(4)
        guard name.hasPrefix("GMT+") || name.hasPrefix("GMT-"), digits.utf8.count == 4,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let hours = Int32(digits.prefix(2)), let minutes = Int32(digits.suffix(2)), minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        guard seconds <= 18 * 3600 else { return nil }
        return name.hasPrefix("GMT+") ? seconds : -seconds
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(
            device: status.st_dev, inode: status.st_ino, size: status.st_size,
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(descriptor, &bytes, bytesMax)
        return count > 0 && count < bytesMax ? Array(bytes[..<count]) : nil
    }
}
