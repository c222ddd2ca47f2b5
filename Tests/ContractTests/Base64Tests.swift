import Contract
import Foundation
import Testing

/// Our base64 against Foundation's.
@Suite struct Base64Tests {
    @Test func itIsAsFoundationWritesIt() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let text = Base64.text(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.bytes(text) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "A===", "AB==", "AAB=", "AA=A", "AA-_", " AAAA", "AAAA\n", "====",
    ])
    func anythingElseIsRefused(text: String) { #expect(Base64.bytes(text) == nil) }
}
