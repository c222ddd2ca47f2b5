/// A style sheet that only names others of its directory, one in each line:
///
///     @import "base.css";
///
/// The server sends these in its place, since a browser would ask for each, and draw nothing before it has
/// all of them. Any other sheet is sent as it is.
enum StyleSheet {
    /// The names of the files, without a directory; nil if there is anything else in the sheet.
    static func imports(_ bytes: [UInt8]) -> [String]? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard (1...ConsoleLimits.importsMax).contains(lines.count) else { return nil }
        let names = lines.compactMap { imported(String(decoding: $0, as: UTF8.self)) }
        return names.count == lines.count ? names : nil
    }

    /// Whether a sheet may import others, which a browser does not do behind the rules of another one.
    static func mayImport(_ bytes: [UInt8]) -> Bool {
        let word = "@import".utf8
        let lowered = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return lowered.indices.contains { lowered[$0] == word.first && lowered[$0...].starts(with: word) }
    }

    private static func imported(_ line: String) -> String? {
        let (start, end) = ("@import \"", "\";")
        guard line.hasPrefix(start), line.hasSuffix(end), line.utf8.count > start.utf8.count + end.utf8.count
        else { return nil }
        let name = String(line.dropFirst(start.count).dropLast(end.count))
        return PageFiles.isPlain(name) && name.hasSuffix(".css") ? name : nil
    }
}
