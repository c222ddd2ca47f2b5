/// A style sheet that may begin with others of its directory, one in each line:
///
///     @import "base.css";
///
/// They are sent in place of these lines, in their order: a browser would ask for each, and draw nothing
/// before it has all of them. One that is imported cannot import others.
struct StyleSheet {
    /// The names of the files, without a directory.
    let imports: [String]
    /// What follows the imports.
    let rules: [UInt8]

    init(_ bytes: [UInt8]) {
        var imports: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            guard let name = Self.imported(String(decoding: line, as: UTF8.self)) else { break }
            imports.append(name)
            rest = rest.dropFirst(line.count + 1)
        }
        self.imports = imports
        rules = Array(rest)
    }

    private static func imported(_ line: String) -> String? {
        let (start, end) = ("@import \"", "\";")
        guard line.hasPrefix(start), line.hasSuffix(end), line.utf8.count > start.utf8.count + end.utf8.count
        else { return nil }
        let name = String(line.dropFirst(start.count).dropLast(end.count))
        return PageFiles.isPlain(name) && name.hasSuffix(".css") ? name : nil
    }
}
