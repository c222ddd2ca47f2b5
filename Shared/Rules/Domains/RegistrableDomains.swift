internal import CPsl

/// The Public Suffix List, as the distribution keeps it (both of its sections): which part of a host one can
/// register.
package final class RegistrableDomains {
    private let list: OpaquePointer

    /// nil when this machine's libpsl has no list.
    package init?() {
        guard let list = psl_latest(nil) else { return nil }
        self.list = list
    }

    deinit { psl_free(list) }

    /// `www.example.co.uk` gives `example.co.uk`. Hosts under which nothing can be registered (addresses,
    /// `localhost`, a public suffix itself) stay as they are.
    package func registrable(_ host: String) -> String {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !Self.isAddress(name) else { return name }
        // The answer points into the name, so it must be copied before the name's bytes go.
        return name.withCString { name in psl_registrable_domain(list, name).map { String(cString: $0) } }
            ?? name
    }

    /// Domains outside of the Internet's: RFC 6761, RFC 6762, RFC 7686, and ICANN's `internal`.
    private static let reserved: Set<Substring> = [
        "example", "internal", "invalid", "local", "localhost", "onion", "test",
    ]

    /// Whether the last label of a name is one that domains end in.
    package func endsInKnownSuffix(_ name: String) -> Bool {
        guard let last = name.split(separator: ".").last, !Self.isAddress(name) else { return false }
        if Self.reserved.contains(last) { return true }
        // Without its rule `*`, by which every unknown label is a suffix.
        return psl_is_public_suffix2(list, String(last), PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 1
    }

    /// WHATWG URL, "ends in a number": such a host is an IPv4 address; one with a colon is an IPv6 address.
    private static func isAddress(_ name: String) -> Bool {
        guard !name.utf8.contains(UInt8(ascii: ":")) else { return true }
        let last = name.split(separator: ".").last ?? ""
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }
}
