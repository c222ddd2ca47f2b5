internal import CIdn2

/// Names in other letters than ASCII, as libidn2 has them: UTS 46, without its transitional rules, and
/// IDNA 2008, by which signs and emoji are no part of a name.
enum InternationalName {
    /// Of a name as it is typed: what is mapped away (soft hyphens) takes room, too.
    private static let bytesMax = 4 * DomainName.bytesMax

    /// `Bücher。de` gives `xn--bcher-kva.de`. A `*` and dots at the ends stay. nil: no name has this form.
    static func ascii(_ name: String) -> String? {
        // A C string ends at the first zero.
        guard name.utf8.count <= bytesMax, !name.utf8.contains(0), let text = shim_idn2_ascii(name) else {
            return nil
        }
        defer { free(text) }
        return String(cString: text)
    }

    /// `xn--bcher-kva` gives `bücher`; nil for a label that no other is written as.
    static func readable(_ label: String) -> String? {
        guard label.hasPrefix("xn--"), label.utf8.count <= 63, !label.utf8.contains(0),
            let text = shim_idn2_unicode(label)
        else { return nil }
        defer { free(text) }
        let name = String(cString: text)
        return ascii(name) == label ? name : nil
    }
}
