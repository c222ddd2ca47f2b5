import Testing

@testable import Store

/// A page that cannot be read is not damaged; SQLite lists it among what it finds wrong.
@Suite struct FailedReadTests {
    @Test func aPageThatCannotBeReadIsNoDamage() {
        let read = "*** in database main ***\nPage 33: unable to get the page. error code=8458"
        #expect(FailedRead.code(in: read) == 8458)
        let overflow = "*** in database main ***\nOn tree page 11 cell 0: failed to get page 6"
        #expect(FailedRead.code(in: overflow) == 10)
        #expect(FailedRead.code(in: "On tree page 11 cell 0: invalid page number 66") == nil)
        #expect(FailedRead.code(in: "Page 33: unable to get the page. error code=11") == nil, "damage")
        #expect(FailedRead.code(in: "row 3 missing from index a") == nil)
    }
}
