internal import CIdn2

/// Internationalised domain names, converted by libidn2: UTS 46 without its transitional rules, and IDNA
/// 2008, which does not allow symbols and emoji.
enum InternationalName {
    /// Limit for a name as typed. It is larger than the limit for a domain, because mapping can shorten a
    /// name (soft hyphens are removed).
    private static let bytesMax = 4 * DomainName.bytesMax

    /// Converts `Bücher。de` to `xn--bcher-kva.de`. A leading `*` and dots at the ends are kept. Nil when the
    /// name has no ASCII form.
    static func ascii(_ name: String) -> String? {
        // A C string ends at the first zero.
        guard name.utf8.count <= bytesMax, !name.utf8.contains(0), let text = shim_idn2_ascii(name) else {
            return nil
        }
        defer { free(text) }
        return String(cString: text)
    }

    /// Converts the label `xn--bcher-kva` to `bücher`. Nil for a label that is not the canonical form of any
    /// name.
    static func readable(_ label: String) -> String? {
        guard label.hasPrefix("xn--"), label.utf8.count <= 63, !label.utf8.contains(0),
            let text = shim_idn2_unicode(label)
        else { return nil }
        defer { free(text) }
        let name = String(cString: text)
        return ascii(name) == label ? name : nil
    }
}
