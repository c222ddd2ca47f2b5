import Contract
import Domains
import Rules
import Testing

/// Names of domains and categories, our own table, and which word counts.
struct CatalogueTests {
    @Test(arguments: [
        ("Example.COM.", "example.com"), ("*.a.b", "a.b"), (".a.b", "a.b"), ("a_b-c.d", "a_b-c.d"),
        ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("www.MÜNCHEN.de", "www.xn--mnchen-3ya.de"),
        ("правда.example", "xn--80aafi6cg.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("bücher.example", "xn--bcher-kva.example"), ("3年b組金八先生.x", "xn--3b-ww4c5e180e575a65lsy2b.x"),
        ("localhost", "localhost"), ("xn--i-7iq.ws", "xn--i-7iq.ws"),
        ("", nil), (".", nil), ("a..b", nil), ("10.0.0.1", nil), ("1.2", nil), ("::1", nil), ("a b", nil),
        ("http://a.b", nil), ("a.b/c", nil), ("a.b:80", nil), ("||a.b^", nil), ("bücher.de:80", nil),
    ] as [(String, String?)])
    func aDomainIsKeptInOneForm(text: String, domain: String?) {
        #expect(DomainName.normalised(text) == domain)
    }

    /// Spellings that may be typed, sent or found in a file, and the one that is stored and compared.
    @Test(arguments: [
        ("Example.ORG.", "example.org"), ("example.org.", "example.org"), ("example.org", "example.org"),
        ("bücher.de", "xn--bcher-kva.de"), ("BÜCHER.DE.", "xn--bcher-kva.de"),
        ("XN--Bcher-KVA.de", "xn--bcher-kva.de"), ("bücher\u{3002}de", "xn--bcher-kva.de"),
        ("10.0.0.1", "10.0.0.1"), ("10.0.0.1.", "10.0.0.1"), ("[FE80::1]", "fe80::1"), ("::1", "::1"),
        ("Localhost", "localhost"), ("", ""), ("No Host", "no host"), ("a..B", "a..b"), (".", "."),
    ])
    func aHostHasOneSpelling(text: String, spelling: String) {
        #expect(DomainName.spelling(of: text) == spelling)
        #expect(DomainName.spelling(of: spelling) == spelling)
    }

    @Test(arguments: [
        "", "a b", "exa%00mple..com", "a.b/c", "https://a.b", "u:p@a.b", "a.b:80", "::g", "<b>", "a..b",
    ])
    func whatIsNoHostIsNone(text: String) {
        #expect(DomainName.host(text) == nil)
    }

    @Test(arguments: [
        ("xn--bcher-kva.de", "bücher.de"), ("www.xn--80aafi6cg.example", "www.правда.example"),
        ("xn--r8jz45g.xn--zckzah", "例え.テスト"), ("xn--3b-ww4c5e180e575a65lsy2b.x", "3年b組金八先生.x"),
        ("example.org", "example.org"), ("xn--.de", "xn--.de"), ("xn--strae-oqa.de", "straße.de"),
        // No name has these forms: a control character, letters that UTS 46 maps to others, a sign.
        ("xn--a.de", "xn--a.de"), ("xn--mi7chab1aes7c.de", "xn--mi7chab1aes7c.de"),
        ("xn--i-7iq.ws", "xn--i-7iq.ws"), ("xn--a.xn--bcher-kva.de", "xn--a.bücher.de"),
        ("xn--99999999.de", "xn--99999999.de"), ("xn--\u{FC}.de", "xn--\u{FC}.de"), ("", ""),
    ])
    func aPersonReadsItInTheirLetters(domain: String, text: String) {
        #expect(DomainName.readable(domain) == text)
        #expect(DomainName.lettered(domain) == text)
    }

    /// What looks like another name keeps its ASCII form, label by label. Latin may stand beside the scripts
    /// of East Asia.
    @Test(arguments: [
        ("pаypal", false), ("αpple", false), ("hóla-мир", false), ("日本語kαi", false), ("աpple", false),
        ("naver네이버", true), ("日本のgoogleサイト", true), ("нет1", true), ("ɛwe", true), ("नमस्ते", true),
    ])
    func aLabelOfMixedScriptsStaysASCII(label: String, isShown: Bool) throws {
        let domain = try #require(DomainName.normalised("www.\(label).bücher.de"))
        let ascii = try #require(domain.split(separator: ".").dropFirst().first)
        #expect(ascii.hasPrefix("xn--"))
        #expect(DomainName.readable(domain) == "www.\(isShown ? label : String(ascii)).bücher.de")
        #expect(DomainName.lettered(domain) == "www.\(label).bücher.de")
    }

    /// UTS 46, as a browser maps what is typed, without its transitional rules.
    @Test(arguments: [
        ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"), ("ＢÜＣＨＥＲ.de", "xn--bcher-kva.de"),
        ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("bü\u{AD}cher.de", "xn--bcher-kva.de"),
        ("straße.de", "xn--strae-oqa.de"), ("STRASSE.de", "strasse.de"), ("ΟΔΟΣ.gr", "xn--pxavbq.gr"),
        ("bücher｡de\u{3002}", "xn--bcher-kva.de"), ("*.ﬁsch.de", "fisch.de"), ("．ü.de", "xn--tda.de"),
        ("İ.com", "xn--i-9bb.com"), ("ℓ²ü.x", "xn--l2-yka.x"),
        // Joiners stand where a script needs them (RFC 5892, appendix A).
        ("क\u{94D}\u{200D}ष.x", "xn--11b2ezcw70k.x"), ("نامه\u{200C}ای.x", "xn--mgba3gch31f060k.x"),
        ("a\u{200D}ü.x", nil), ("a\u{200C}ü.x", nil),
        // Written from both sides, a mark that has nothing to stand on, hyphens at an edge, a sign.
        ("אa.x", nil), ("\u{308}u.x", nil), ("-ü.x", nil), ("ab--ü.x", nil), ("i❤.ws", nil), ("a—b.x", nil),
        ("xn--ü.x", nil), ("ü..x", nil), ("ü b.x", nil), ("ü/.x", nil), ("ü\0.x", nil),
        ("１０.0.0.1", nil),
    ] as [(String, String?)])
    func aNameIsMappedAsABrowserMapsIt(text: String, domain: String?) {
        #expect(DomainName.normalised(text) == domain)
    }

    /// An address is one in any digits, and what libidn2 refuses is the same text in any case.
    @Test(arguments: [("１０.0.0.１", "10.0.0.1"), ("I❤.ws", "i❤.ws"), ("ü\0.X", "ü\0.x")])
    func whatIsNoNameHasASpellingToo(text: String, spelling: String) {
        #expect(DomainName.spelling(of: text) == spelling)
        #expect(DomainName.spelling(of: spelling) == spelling)
    }

    @Test func labelsAndNamesHaveTheirLimits() {
        let label = String(repeating: "a", count: 63)
        #expect(DomainName.normalised(label + ".de") == label + ".de")
        #expect(DomainName.normalised("a\(label).de") == nil)
        let long = Array(repeating: label, count: 4).joined(separator: ".")
        #expect(long.utf8.count == 255 && DomainName.normalised(long) == nil)
        #expect(DomainName.normalised(String(long.dropFirst(2))) != nil)
        // 63 bytes in ASCII, and one more; soft hyphens take no room there, but nobody types a thousand.
        let umlauts = "ü" + String(repeating: "a", count: 55)
        #expect(DomainName.normalised(umlauts + "a.de") == nil)
        #expect(DomainName.normalised(umlauts + ".de")?.utf8.count == 66)
        let soft = String(repeating: "\u{AD}", count: 1_000)
        #expect(DomainName.normalised("a" + soft.prefix(500) + "ü.de") == "xn--a-eha.de")
        #expect(DomainName.normalised("a" + soft + "ü.de") == nil)
        #expect(DomainName.normalised(String(repeating: "ü", count: 1_000_000)) == nil)
    }

    @Test(arguments: [
        ("games", "games"), ("GAMES", "games"), ("developer-tools", "developer tools"),
        ("Developer_Tools", "developer tools"), ("Social Networking", "social"),
        ("Shopping & Food", "shopping"), ("", nil), ("adult", nil),
    ] as [(String, String?)])
    func aCategoryHasItsNames(text: String, category: String?) {
        #expect(Categories.named(text) == category)
    }

    /// Places in this list are stored.
    @Test func theStoredNumbersOfCategoriesStay() {
        #expect(
            Categories.names == [
                "other", "social", "games", "entertainment", "creativity", "education", "health", "reading",
                "productivity", "shopping", "travel", "utilities", "developer tools",
            ])
    }

    @Test func ourTableHoldsDomainsAndKnownCategories() throws {
        let suffixes = try #require(RegistrableDomains())
        #expect(WellKnown.domainNames.count > 60)
        for name in WellKnown.domainNames {
            #expect(DomainName.normalised(name) == name)
            #expect(suffixes.endsInKnownSuffix(name), "\(name)")
            // None covers more than one owner's sites.
            #expect(suffixes.registrable("x." + name).split(separator: ".").count >= 2, "\(name)")
            #expect(suffixes.registrable(name) == suffixes.registrable("x." + name), "\(name)")
            let category = try #require(WellKnown.category(ofHost: "www." + name)?.category)
            #expect(Categories.names.contains(category) && category != Categories.other)
        }
        #expect(WellKnown.category(ofHost: "docs.google.com")?.category == "productivity")
        #expect(WellKnown.category(ofHost: "www.google.com")?.category == "utilities")
        #expect(WellKnown.category(ofHost: "notgoogle.com") == nil)
    }

    @Test func whatIsToldComesBeforeWhatIsKnown() {
        var catalogue = Catalogue(domainCategories: ["video.youtube.com": "education", "github.io": "other"])
        #expect(catalogue.category(of: .domain("a.video.youtube.com")) == "education")
        #expect(catalogue.category(of: .domain("m.youtube.com")) == "entertainment")
        #expect(catalogue.category(of: .domain("someone.github.io")) == "other")
        #expect(catalogue.category(of: .domain("nobody.test")) == "other")
        #expect(catalogue.category(of: .app("com.whatsapp")) == "social")
        var facts = AppFacts()
        facts.apply(freedesktop: ["Network", "WebBrowser"])
        catalogue.set("org.example.Surf", facts)
        #expect(catalogue.isBrowser(.app("org.example.Surf")))
        #expect(catalogue.category(of: .app("org.example.Surf")) == "utilities")
        // An unknown category does not hide known ones.
        facts = AppFacts()
        facts.apply(freedesktop: ["GTK"])
        catalogue.set("com.whatsapp", facts)
        #expect(catalogue.category(of: .app("com.whatsapp")) == "social")
        for id in ["firefox", "exe:/opt/firefox/firefox", "com.android.chrome"] {
            #expect(catalogue.isBrowser(.app(id)), "\(id)")
        }
        #expect(!catalogue.isBrowser(.app("exe:/firefox/editor")) && !catalogue.isBrowser(.domain("firefox")))
    }

    @Test(arguments: [
        ("www.example.co.uk", "example.co.uk"), ("someone.github.io", "someone.github.io"),
        ("a.someone.github.io", "someone.github.io"), ("github.io", "github.io"), ("localhost", "localhost"),
        ("10.0.0.1", "10.0.0.1"), ("A.Example.Com.", "example.com"),
        ("a.b.unknown-suffix", "b.unknown-suffix"),
    ])
    func aHostCountsAsWhatOneCanRegister(host: String, domain: String) throws {
        #expect(try #require(RegistrableDomains()).registrable(host) == domain)
    }

    @Test(arguments: [
        ("example.com", true), ("a.co.uk", true), ("x.test", true), ("com.whatsapp", false),
        ("org.gnome.Maps", false), ("1.2.3.4", false), ("", false),
    ])
    func anEndTellsDomainsFromApps(name: String, isDomain: Bool) throws {
        #expect(try #require(RegistrableDomains()).endsInKnownSuffix(name) == isDomain)
    }
}
