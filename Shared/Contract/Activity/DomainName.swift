/// The canonical spelling of a domain. Whoever receives a domain from a sensor, a file, a program or a person
/// converts it before storing or comparing it.
package enum DomainName {
    /// Maximum length of a name in bytes (RFC 1035, section 2.3.4).
    package static let bytesMax = 253

    /// Returns the domain in lower case, without a dot at either end and without `*.`; labels that are not
    /// ASCII are converted as browsers do (UTS 46). Nil for what is no domain: an address, a blank, a label
    /// that is empty or longer than 63 bytes (RFC 1035).
    package static func normalised(_ text: some StringProtocol) -> String? {
        guard let labels = Labels(text), !labels.areAddress else { return nil }
        return labels.text
    }

    /// As ``normalised(_:)``, and also accepts addresses: 10.0.0.1, ::1 or [::1].
    package static func host(_ text: some StringProtocol) -> String? {
        if let labels = Labels(text) { return labels.text }
        var address = text.lowercased()[...]
        if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
        let parts = Set("0123456789abcdef:.".utf8)
        let isAddress =
            (2...45).contains(address.utf8.count) && address.utf8.allSatisfy(parts.contains)
            && address.utf8.count { $0 == UInt8(ascii: ":") } > 1
        return isAddress ? String(address) : nil
    }

    /// As ``host(_:)``; text that is no host is only converted to lower case.
    package static func spelling(of text: String) -> String {
        if isCanonical(text) { return text }
        return host(text) ?? text.lowercased()
    }

    /// A fast check on the path of every observation: true when the text is certainly canonical already.
    private static func isCanonical(_ text: String) -> Bool {
        let dot = UInt8(ascii: ".")
        guard text.utf8.first != dot, text.utf8.last != dot else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), dot,
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Whether a name, in any spelling, is `domain` or one of its subdomains.
    /// - Parameter domain: in the spelling of ``spelling(of:)``.
    package static func covers(_ domain: String, _ name: String) -> Bool {
        let name = spelling(of: name)
        return name == domain || name.hasSuffix("." + domain)
    }

    /// The form to show a person: `bücher.de` for `xn--bcher-kva.de`; other names are returned unchanged. A
    /// label that mixes scripts (``LabelScript``) stays as it is: it may look like another name.
    package static func readable(_ domain: String) -> String {
        converted(domain) { !LabelScript.areMixed(in: $0) }
    }

    /// As ``readable(_:)``, also where scripts are mixed; to search text that others wrote.
    package static func lettered(_ domain: String) -> String { converted(domain) { _ in true } }

    private static func converted(_ domain: String, if isShown: (String) -> Bool) -> String {
        guard domain.includes("xn--") else { return domain }
        return domain.split(separator: ".", omittingEmptySubsequences: false).map { label in
            guard let text = InternationalName.readable(String(label)), isShown(text) else {
                return String(label)
            }
            return text
        }.joined(separator: ".")
    }
}

extension SubjectKind {
    /// The form of a subject's id to show a person.
    package func readable(_ subject: String) -> String {
        self == .domain ? DomainName.readable(subject) : subject
    }
}

/// The labels of a name, lower case and in ASCII.
private struct Labels {
    let text: String
    /// True when the last label is a number (WHATWG URL, "ends in a number").
    let areAddress: Bool

    /// Nil when a label is empty, too long, or has characters that no host name has.
    init?(_ given: some StringProtocol) {
        let isASCII = given.utf8.allSatisfy { $0 < 0x80 }
        guard var name = isASCII ? given.lowercased()[...] : InternationalName.ascii(String(given))?[...]
        else { return nil }
        if name.hasPrefix("*.") { name.removeFirst(2) } else if name.hasPrefix(".") { name.removeFirst() }
        if name.hasSuffix(".") { name.removeLast() }
        guard (1...DomainName.bytesMax).contains(name.utf8.count) else { return nil }
        var labelBytes = 0
        var isNumber = true
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard labelBytes > 0 else { return nil }
                (labelBytes, isNumber) = (0, true)
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                isNumber = false
            default: return nil
            }
            labelBytes += 1
            guard labelBytes <= 63 else { return nil }
        }
        guard labelBytes > 0 else { return nil }
        (text, areAddress) = (String(name), isNumber)
    }
}
