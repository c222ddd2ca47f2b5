internal import CPsl
internal import Engine

/// The Public Suffix List, as the distribution keeps it: which part of a host one can register.
final class RegistrableDomains {
    private let list: OpaquePointer

    /// nil when this machine's libpsl has no list.
    init?() {
        guard let list = psl_latest(nil) else { return nil }
        self.list = list
    }

    deinit { psl_free(list) }

    /// `www.example.co.uk` gives `example.co.uk`. Hosts under which nothing can be registered (addresses,
    /// `localhost`, a public suffix itself) stay as they are.
    func registrable(_ host: String) -> String {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !Self.isAddress(name) else { return name }
        // The answer points into the name, so it must be copied before the name's bytes go.
        return name.withCString { name in psl_registrable_domain(list, name).map { String(cString: $0) } }
            ?? name
    }

    /// WHATWG URL, "ends in a number": such a host is an IPv4 address; one with a colon is an IPv6 address.
    private static func isAddress(_ name: String) -> Bool {
        guard !name.utf8.contains(UInt8(ascii: ":")) else { return true }
        let last = name.split(separator: ".").last ?? ""
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }

    /// The same use and marks, with each host's registrable domain in its place. What two hosts of
    /// one domain have at the same time comes once.
    func folded(_ use: DeviceUse) -> DeviceUse {
        var folded = use
        folded.uses = [:]
        for (subject, time) in use.uses {
            folded.uses[self.folded(subject), default: IntervalSet()].formUnion(time)
        }
        folded.marks = use.marks.map { mark in
            Mark(mark.kind, at_ms: mark.at_ms, subject: mark.subject.map(self.folded))
        }
        return folded
    }

    private func folded(_ subject: Subject) -> Subject {
        subject.kind == .domain ? .domain(registrable(subject.id)) : subject
    }
}

extension IntervalSet {
    fileprivate mutating func formUnion(_ other: IntervalSet) { self = union(other) }
}
