import Glibc
import Synchronization

/// The present time zone of this machine. Foundation reads it only once; a person may change it while
/// services run.
package enum MachineZone {
    private static let usualPath = "/etc/localtime"

    /// IANA name, from TZ, from the target of /etc/localtime, or by comparing that file with those of the
    /// zones; nil if none tells.
    package static var name: String? {
        guard let path else { return ianaName(setting ?? "") }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return ianaName(path) ?? copied(path) }
        return ianaName(String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    private static let copy = Mutex<(bytes: [UInt8], name: String?)?>(nil)

    /// The name of a copy of a zone's file, as in a container to which the host's file is mounted.
    private static func copied(_ path: String) -> String? {
        guard let bytes = ZoneFiles.contents(path) else { return nil }
        return copy.withLock { copy in
            if let copy, copy.bytes == bytes { return copy.name }
            let name = ZoneFiles.name(of: bytes)
            copy = (bytes, name)
            return name
        }
    }

    /// The file that determines it, if there is one. Changing the machine's zone replaces that file.
    package static var path: String? {
        guard let setting else { return usualPath }
        return setting.hasPrefix("/") ? setting : nil
    }

    /// TZ without the optional leading colon (tzset(3)); nil if it is not set.
    private static var setting: String? {
        getenv("TZ").map { String(cString: $0) }.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    }

    /// - Parameter text: a name, or a path with the name after `zoneinfo/`. An empty TZ means UTC (tzset(3)).
    package static func ianaName(_ text: String) -> String? {
        guard !text.isEmpty else { return "UTC" }
        let parts = text.split(separator: "/")
        if let place = parts.lastIndex(of: "zoneinfo") {
            // Copies of the zones without and with leap seconds.
            let isVariant = parts.count > place + 1 && ["posix", "right"].contains(parts[place + 1])
            return parts[(place + (isVariant ? 2 : 1))...].joined(separator: "/")
        }
        return text.hasPrefix("/") || text.hasPrefix(".") ? nil : text
    }
}
