import Testing

@testable import Store

/// A page that cannot be read is not damaged; SQLite lists it among what it finds wrong.
@Suite struct FailedReadTests {
    @Test func aPageThatCannotBeReadIsNoDamage() {
        let read = "*** in database main ***\nPage 33: unable to get the page. error code=8458"
        #expect(FailedRead.code(in: read) == 8458)
        #expect(FailedRead.code(in: "Page 33: unable to get the page. error code=11") == nil, "damage")
        #expect(FailedRead.code(in: "row 3 missing from index a") == nil)
    }
}
