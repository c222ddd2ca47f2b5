import CommandKit
import Contract

/// The lines of a file, read piece by piece: LF or CRLF, the last one's end may be missing.
final class LineReader {
    private let path: String
    private var file: InputFile
    private var piece = [UInt8](repeating: 0, count: 1 << 16)
    private var range = 0..<0
    private var isAtEnd = false
    /// Of the line given last, from 1.
    private(set) var number = 0

    /// Longest line taken.
    static let lineBytesMax = 1 << 16

    /// - Parameter path: `-` is standard input.
    init(_ path: String) throws(CommandError) {
        self.path = path
        file = try InputFile.open(
            path, bytesMax: ImportCommandFile.bytesMax,
            remedy: "Nothing changed. Split it into several lists.")
    }

    /// nil at the end. A byte-order mark is left out; bytes that are not UTF-8 become U+FFFD.
    func next() throws(CommandError) -> String? {
        var line: [UInt8] = []
        while true {
            if range.isEmpty {
                try fill()
                guard !range.isEmpty else { break }
            }
            if let end = piece[range].firstIndex(of: UInt8(ascii: "\n")) {
                line += piece[range.lowerBound..<end]
                range = end + 1..<range.upperBound
                return text(line)
            }
            line += piece[range]
            range = 0..<0
            guard line.count <= Self.lineBytesMax else {
                throw CommandError(
                    ExitCode.badData,
                    "'\(path)', line \(number + 1) has more than \(Self.lineBytesMax) bytes",
                    remedy: "Nothing changed. Is it a list of domains?")
            }
        }
        return line.isEmpty ? nil : text(line)
    }

    private func text(_ line: [UInt8]) -> String {
        number += 1
        var bytes = line[...]
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func fill() throws(CommandError) {
        guard !isAtEnd else { return }
        let count = try file.read(&piece)
        isAtEnd = count == 0
        range = 0..<count
    }
}
