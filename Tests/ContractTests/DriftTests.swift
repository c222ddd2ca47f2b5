import ContractDocument
import Foundation
import Testing

/// The documents in the repository are those of the code.
@Suite struct DriftTests {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/contract").standardized

    @Test func theDocumentsAreThoseOfTheCode() throws {
        for file in ContractDocument.files() {
            let url = Self.directory.appendingPathComponent(file.path)
            // A missing file reads as an empty one, which differs.
            let kept = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            #expect(
                kept == file.text, "docs/contract/\(file.path) differs: run scripts/contract.sh and commit")
        }
    }

    @Test func noDocumentIsLeftFromAnEarlierContract() throws {
        let kept = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path + "/schemas")
        let made = ContractDocument.files().map(\.path).filter { $0.hasPrefix("schemas/") }
        #expect(Set(kept.map { "schemas/" + $0 }) == Set(made), "run scripts/contract.sh and commit")
    }

    @Test func theSameContractIsTheSameBytes() {
        #expect(ContractDocument.files() == ContractDocument.files())
    }
}
