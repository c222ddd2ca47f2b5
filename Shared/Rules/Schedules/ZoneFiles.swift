import Glibc
import Synchronization

/// The system's time-zone data (the package tzdata), in which names are looked up. A zone is read once, as
/// Foundation does: two versions of its rules would contradict each other within a process, for example in a
/// registered schedule and in a report. An update is used from the next start on.
enum ZoneFiles {
    /// Files larger than this are no zones; the largest one of tzdata has 3.6 KB.
    private static let bytesMax = 65_536
    /// By path. There are not more than files in the directory: each has one path that is a name.
    private static let known = Mutex<[String: ZoneRules]>([:])

    /// Of an IANA name, or of Foundation's names of fixed offsets (`GMT+0530`); nil if there is none.
    static func rules(_ name: String, in directory: String? = nil) -> ZoneRules? {
        if name == "UTC" || name == "GMT" { return ZoneRules(fixed: 0) }
        guard isName(name) else { return nil }
        let path = "\(directory ?? self.directory)/\(name)"
        return known.withLock { known in
            if let rules = known[path] { return rules }
            guard let bytes = contents(path) else { return fixedOffset(name).map { ZoneRules(fixed: $0) } }
            let rules = ZoneRules(bytes)
            known[path] = rules
            return rules
        }
    }

    /// The name of the zone whose file has these bytes, by a search; nil if none has.
    static func name(of bytes: [UInt8], in directory: String? = nil) -> String? {
        let root = directory ?? self.directory
        var folders = [""]
        var found: [String] = []
        while let folder = folders.popLast() {
            guard let handle = opendir("\(root)/\(folder)") else { continue }
            defer { closedir(handle) }
            while let entry = readdir(handle) {
                let last = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                let name = folder + last
                var status = stat()
                guard isName(name), stat("\(root)/\(name)", &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { folders.append(name + "/") }
                if status.st_size == bytes.count, contents("\(root)/\(name)") == bytes { found.append(name) }
            }
        }
        // Links have the same bytes: names of places before those of offsets and old names.
        return found.min { ($0.contains("/") ? 0 : 1, $0) < ($1.contains("/") ? 0 : 1, $1) }
    }

    private static var directory: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// Every IANA name begins with a capital letter; `posix/`, `right/` and `localtime` of that directory do
    /// not. No part of a path is empty, `.` or `..`.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
            name.utf8.count <= 255,
            !name.split(separator: "/", omittingEmptySubsequences: false).contains("")
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

    /// The bytes of a regular file of a sensible size.
    static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(descriptor, &bytes, bytesMax)
        return count > 0 && count < bytesMax ? Array(bytes[..<count]) : nil
    }
}
