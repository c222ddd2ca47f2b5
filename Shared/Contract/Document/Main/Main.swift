import ContractDocument
import Glibc

/// `contract-document DIRECTORY` writes the documents of the contract there. The same contract gives the same
/// bytes. Exit codes: 0 success, 64 wrong usage, 73 a file could not be written.
@main struct ContractDocumentMain {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            stop(64, "usage: contract-document DIRECTORY (scripts/contract.sh runs it)")
        }
        let directory = CommandLine.arguments[1]
        mkdir(directory, 0o755)
        mkdir("\(directory)/schemas", 0o755)
        let files = ContractDocument.files()
        for file in files { write(Array(file.text.utf8), to: "\(directory)/\(file.path)") }
        print("\(files.count) documents in \(directory)")
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { fail("opening", path) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
            fail("writing", path)
        }
    }

    private static func fail(_ attempt: String, _ path: String) -> Never {
        stop(73, "\(attempt) \(path) failed: \(String(cString: strerror(errno)))")
    }

    private static func stop(_ status: Int32, _ words: String) -> Never {
        let text = Array("contract-document: \(words)\n".utf8)
        // Standard error may be closed; the exit code reports the error as well.
        _ = Glibc.write(STDERR_FILENO, text, text.count)
        exit(status)
    }
}
