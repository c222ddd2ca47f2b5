import Foundation
import JSON
import Testing

/// Mutated documents, compared with Foundation's JSONSerialization. Where the two rightly differ, the rule is
/// named in `Verdict` and both results are asserted; no case accepts two results.
@Suite struct FuzzTests {
    static let documentsPerSeed = 10_000

    @Test(arguments: (1...8).map { UInt64($0) })
    func foundationAgreesOnMutatedDocuments(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var counts: [Verdict: Int] = [:]
        for round in 0..<Self.documentsPerSeed {
            let document = Mutation.document(&random)
            do {
                counts[try Judge.judge(document), default: 0] += 1
            } catch {
                Issue.record("seed \(seed), round \(round): \(error)\n\(document)\n\(text(document))")
            }
        }
        print("seed \(seed):", counts.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
        #expect((counts[.bothTake] ?? 0) > Self.documentsPerSeed / 20)
        #expect((counts[.bothRefuse] ?? 0) > Self.documentsPerSeed / 4)
    }

    /// The typed readers see the same bytes as JSONValue: what they take, it takes too, with the same
    /// content.
    @Test(arguments: (101...104).map { UInt64($0) })
    func recordsTakeOnlyWhatIsValid(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var taken = 0
        for _ in 0..<5_000 {
            let document = Mutation.mutated(Mutation.tree, &random)
            // Refusals are compared by the other test; here only accepted documents matter.
            guard let tree = try? Tree.decode(document) else { continue }
            taken += 1
            #expect(refusal(document, as: RawJSON.self) == nil, "seed \(seed): \(text(document))")
            #expect(try Tree.decode(tree.encoded()) == tree, "seed \(seed): \(text(document))")
        }
        #expect(taken > 100)
    }
}

enum Verdict {
    case bothTake, bothRefuse
    /// We refuse and Foundation does not, or not for that reason.
    case duplicateKey, tooDeep, integerBeyond64Bits, beyondDouble, encoding, trailingComma
}

struct Disagreement: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

enum Judge {
    static func judge(_ document: [UInt8]) throws -> Verdict {
        let ours: JSONValue
        do {
            ours = try JSONValue.decode(document)
        } catch {
            return try judge(document, refusedWith: error)
        }
        // Foundation drops U+FEFF at the start of a string; U+FEFE replaces it here.
        if let mark = document.firstRange(of: [0xEF, 0xBB, 0xBF]) {
            return try judge(
                document[..<mark.lowerBound] + [0xEF, 0xBB, 0xBE] + document[mark.upperBound...])
        }
        guard let theirs = foundation(document) else { throw Disagreement("only we take it") }
        guard isSame(ours, theirs) else { throw Disagreement("read as \(ours), by Foundation as \(theirs)") }
        return .bothTake
    }

    private static func judge(_ document: [UInt8], refusedWith error: JSONError) throws -> Verdict {
        switch error.code {
        case .duplicateKey:
            // Made unique, the key is no reason any more: then all must agree.
            _ = try judge(document[..<error.offset] + [0x7E, 0x7E] + document[error.offset...])
            return .duplicateKey
        case .depthExceeded:
            let opened = document[...error.offset].count {
                $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{")
            }
            guard opened > JSONLimits.depthMax else { throw Disagreement("not deep: \(error)") }
            return .tooDeep
        case .numberOutOfRange:
            return try judgeNumber(document, at: error.offset)
        case .unexpectedByte where trailingComma(document, at: error.offset) != nil:
            // Foundation takes [1,] and {"a":1,}. Without the comma all must agree.
            let comma = trailingComma(document, at: error.offset) ?? 0
            _ = try judge(document[..<comma] + document[(comma + 1)...])
            return .trailingComma
        default:
            if startsInAnotherEncoding(document) { return .encoding }
            guard foundation(document) == nil else {
                throw Disagreement("only Foundation takes it: \(error)")
            }
            return .bothRefuse
        }
    }

    /// Made 0, the number is no reason any more.
    private static func judgeNumber(_ document: [UInt8], at offset: Int) throws -> Verdict {
        let spelling = document[offset...].prefix { "+-.eE0123456789".utf8.contains($0) }
        let number = String(decoding: spelling, as: UTF8.self)
        let isInteger = !number.contains { ".eE".contains($0) }
        guard isInteger ? Int64(number) == nil : Double(number)?.isFinite != true else {
            throw Disagreement("within range: \(number)")
        }
        _ = try judge(document[..<offset] + [0x30] + document[(offset + spelling.count)...])
        return isInteger ? .integerBeyond64Bits : .beyondDouble
    }

    /// Where the comma is after which an array or object ends at `offset`.
    private static func trailingComma(_ document: [UInt8], at offset: Int) -> Int? {
        guard "]}".utf8.contains(document[offset]) else { return nil }
        let last = document[..<offset].lastIndex { !" \t\r\n".utf8.contains($0) }
        return last.flatMap { document[$0] == UInt8(ascii: ",") ? $0 : nil }
    }

    private static func judge(_ document: ArraySlice<UInt8>) throws -> Verdict { try judge(Array(document)) }

    /// Foundation guesses UTF-16, UTF-32 and byte order marks from the first four bytes; RFC 8259 knows only
    /// UTF-8.
    private static func startsInAnotherEncoding(_ document: [UInt8]) -> Bool {
        document.prefix(4).contains(0) || document.starts(with: [0xEF, 0xBB, 0xBF])
            || document.starts(with: [0xFE, 0xFF]) || document.starts(with: [0xFF, 0xFE])
    }

    private static func foundation(_ document: [UInt8]) -> Any? {
        // nil is the answer "refused"; Foundation's reason does not matter.
        try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
    }

    private static func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let value): return theirs as? Bool == value
        case .integer(let value): return (theirs as? NSNumber)?.int64Value == value
        case .number(let value):
            // By its digits: Foundation keeps long ones as Decimal, whose doubleValue is not the nearest.
            return (theirs as? NSNumber).flatMap { Double($0.stringValue) } == value
        case .string(let value):
            return (theirs as? String).map { Array($0.utf8) == Array(value.utf8) } ?? false
        case .array(let values):
            guard let others = theirs as? [Any], others.count == values.count else { return false }
            return zip(values, others).allSatisfy { isSame($0, $1) }
        case .object(let members):
            guard let others = theirs as? [String: Any], others.count == members.count else { return false }
            return members.allSatisfy { key, value in others[key].map { isSame(value, $0) } ?? false }
        }
    }
}
