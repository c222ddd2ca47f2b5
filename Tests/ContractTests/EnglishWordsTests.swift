import Contract
import Testing

/// English that several programs share.
@Suite struct EnglishWordsTests {
    @Test(
        arguments: [
            (0, "0 minutes"), (1, "1 minute"), (15, "15 minutes"), (60, "1 hour"), (90, "90 minutes"),
            (120, "2 hours"), (1_440, "24 hours"), (nil, "the rest of the day"),
        ] as [(Int64?, String)])
    func aLengthIsSaidAsPeopleSayIt(minutes: Int64?, words: String) {
        #expect(EnglishWords.length(minutes: minutes) == words)
    }

    @Test func aShieldSaysWhatShieldsIt() {
        func text(_ rule: ShieldedBy?, _ kind: SubjectKind, _ category: String? = nil) -> String {
            EnglishWords.shield(by: rule, kind, "N", category: category).text
        }
        #expect(text(nil, .app) == "You cannot use “N” because it is restricted.")
        #expect(text(nil, .domain, "Games") == "You cannot visit “N” because Games is restricted.")
        #expect(text(.limit, .app) == "You have reached today’s limit for “N”.")
        #expect(
            text(.limit, .domain, "Games") == "You have reached today’s limit for “N” and sites like it.")
        #expect(text(.hours, .domain) == "You cannot visit “N” at this hour.")
    }

    /// What is quoted cannot end the quotation.
    @Test func aQuotationEndsWhereItEnds() {
        #expect(VisibleText.quoted("a") == "“a”")
        #expect(VisibleText.quoted("a”, he says: “b") == "“a’, he says: ‘b”")
        #expect(VisibleText.quoted("it’s \"q\"") == "“it’s \"q\"”")
    }

    @Test func storesOfLimitsAreKnownByTheirNames() {
        for rule in ShieldedBy.allCases {
            #expect(ShieldedBy(ofStore: rule.storeName("daily app a b")) == rule)
            #expect(ShieldedBy(ofStore: rule.rawValue) == nil)
        }
        #expect(ShieldedBy(ofStore: "limits daily") == nil && ShieldedBy(ofStore: "") == nil)
    }

    @Test func onlyDomainsAreReadDifferently() {
        #expect(SubjectKind.domain.readable("xn--bcher-kva.de") == "bücher.de")
        #expect(SubjectKind.app.readable("xn--bcher-kva.de") == "xn--bcher-kva.de")
    }
}
