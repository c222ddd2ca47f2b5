import Contract
import Testing

@testable import MonitorCore

/// The list of extensions fits into one answer, whatever bundles and programs contain.
@Suite struct ExtensionSizeTests {
    private func record(_ number: Int, path: Int = 20) -> ExtensionRecord {
        ExtensionRecord(
            id: "org.test.app\(number).monitor", client: "org.test.app\(number)",
            path: "/" + String(repeating: "p", count: path), executable: "/x")
    }

    private func refusal(_ program: ExtensionRecord, beside known: [ExtensionRecord] = []) -> ServiceError? {
        do throws(ServiceError) {
            try ExtensionSize.check(program, beside: known)
            return nil
        } catch { return error }
    }

    @Test func namesOfABundleAreNames() {
        var program = record(1)
        program.name = String(repeating: "ä", count: 256)
        #expect(refusal(program) == nil)
        program.name = "a" + String(repeating: "\u{301}", count: 400_000)
        #expect(refusal(program)?.name == .invalidArgument)
        #expect(refusal(program)?.message.contains("CFBundleDisplayName") == true)
        program.name = nil
        program.principalClass = String(repeating: "C", count: 513)
        #expect(refusal(program)?.message.contains("nameBytesMax") == true)
    }

    @Test func oneRecordAndAllTogetherAreBounded() {
        #expect(refusal(record(1, path: 40_000))?.message.contains("extensionBytesMax") == true)
        var known: [ExtensionRecord] = []
        while refusal(record(known.count, path: 4_000), beside: known) == nil, known.count < 1_000 {
            known.append(record(known.count, path: 4_000))
        }
        #expect((150..<1_000).contains(known.count))
        #expect(ExtensionList.Result(extensions: known).encoded().count < Limits.messageBytesMax)
        // The same again is no more than before.
        #expect(refusal(known[0], beside: known) == nil)
    }

    @Test func whatIsSaidOfItsStateIsShort() {
        var program = record(1)
        let long = "a" + String(repeating: "\u{301}", count: 100_000)
        program.lastError = long
        program.measured = ExtensionMeasure(callback: long)
        program.confinement = Array(repeating: long, count: 100)
        program.unconfined = Array(repeating: long, count: 100)
        #expect(program.shortened.encoded().count < 50_000)
        program = record(1)
        program.lastError = "it ended"
        #expect(program.shortened.encoded() == program.encoded())
    }
}
