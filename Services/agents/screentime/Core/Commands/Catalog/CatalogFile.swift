import CommandKit
import Contract
import Rules

/// Reads a file of domains, or of categories that were set, line by line. The first line decides the format.
final class CatalogFile {
    struct Entry: Equatable {
        var kind = SubjectKind.domain
        var subject: String
        var category: String
    }

    enum Format { case table, hosts, domains, settings }

    static let settingsHeader = "kind,subject,category"

    private let path: String
    private let category: String?
    private var format = Format.domains
    /// Of a table: the columns of domain and category.
    private var columns = (domain: 0, category: 1)
    private var waiting: [Entry] = []
    private var firstLine: String?
    private var strange: [Int] = []
    private var strangeCount = 0

    /// Lines that are named when they are no domains.
    private static let namedMax = 5

    /// - Parameter category: of every domain where the file names none.
    init(path: String, category: String?) {
        self.path = path
        self.category = category
    }

    static func category(named text: String) throws(CommandError) -> String {
        if let category = Categories.named(text) { return category }
        throw CommandError(
            ExitCode.usage, "there is no category '\(text)'",
            remedy: "There are: \(Categories.names.sorted().joined(separator: ", ")).")
    }

    static func listName(of path: String) throws(CommandError) -> String {
        let base = path.split(separator: "/").last.map(String.init) ?? path
        let name = base.prefix { $0 != "." }
        guard path != "-", !name.isEmpty else {
            throw CommandError(ExitCode.usage, "--name is missing", remedy: "Name the list.")
        }
        return String(name)
    }

    /// Reads up to the first line that says what the file is.
    func begin(_ lines: LineReader) throws(CommandError) -> Format {
        while let line = try lines.next() {
            let text = Self.trimmed(line)
            guard !text.isEmpty, !text.hasPrefix("#"), !text.hasPrefix("!") else { continue }
            try recognise(text, lines.number)
            if firstLine != nil, category == nil, format == .hosts || format == .domains {
                throw CommandError(
                    ExitCode.usage, "'\(path)' names no categories, and --category is missing",
                    remedy: "Say which one all its domains belong to, such as --category games.")
            }
            return format
        }
        throw hasNothing
    }

    private func recognise(_ line: String, _ number: Int) throws(CommandError) {
        let fields = try fields(line, number).map { $0.lowercased() }
        if fields == ["kind", "subject", "category"] {
            format = .settings
            return
        }
        firstLine = line
        guard fields.count > 1 else {
            if Self.words(line).count > 1 { format = .hosts }
            return
        }
        format = .table
        let titles: Set = ["domain", "host", "hostname"]
        guard let domain = fields.firstIndex(where: titles.contains) else { return }
        firstLine = nil
        guard let category = fields.firstIndex(of: "category") else {
            throw CommandError(
                ExitCode.badData, "'\(path)' has no column category", remedy: "Nothing changed. Add one.")
        }
        columns = (domain, category)
    }

    /// The next entry; nil at the end.
    func next(_ lines: LineReader) throws(CommandError) -> Entry? {
        while waiting.isEmpty {
            var line = firstLine
            firstLine = nil
            if line == nil { line = try lines.next() }
            guard let line else { return nil }
            let text = Self.trimmed(line)
            guard !text.isEmpty, !text.hasPrefix("#"), !text.hasPrefix("!") else { continue }
            waiting = try entries(text, lines.number)
        }
        return waiting.removeFirst()
    }

    private func entries(_ line: String, _ number: Int) throws(CommandError) -> [Entry] {
        switch format {
        case .settings:
            let fields = try fields(line, number)
            guard fields.count == 3, let kind = SubjectKind(rawValue: fields[0]), kind != .category else {
                throw wrong(number, "is not kind, subject and category")
            }
            guard VisibleText.isName(fields[1]), !fields[1].hasPrefix(RawToken.prefix) else {
                throw wrong(number, "names no app or domain: a name is visible text, and no token")
            }
            return [Entry(kind: kind, subject: fields[1], category: try named(fields[2], number))]
        case .table:
            let fields = try fields(line, number)
            guard fields.count > max(columns.domain, columns.category) else {
                throw wrong(number, "has \(fields.count) fields")
            }
            return domains([fields[columns.domain]], try named(fields[columns.category], number), number)
        case .hosts:
            // An address, then names; a line of one word is a name. Names without a dot are of the machine.
            let words = Self.words(line)
            let names = words.count > 1 ? words.dropFirst().filter { $0.contains(".") } : words[...]
            return domains(Array(names), category ?? Categories.other, number)
        case .domains: return domains([line], category ?? Categories.other, number)
        }
    }

    private func domains(_ names: [String], _ category: String, _ number: Int) -> [Entry] {
        names.compactMap { name in
            if let domain = DomainName.normalised(name) { return Entry(subject: domain, category: category) }
            // Hosts files give the machine's own address a name.
            guard format != .hosts || name != "0.0.0.0" else { return nil }
            strangeCount += 1
            if strange.count < Self.namedMax { strange.append(number) }
            return nil
        }
    }

    private func named(_ text: String, _ number: Int) throws(CommandError) -> String {
        if text.isEmpty, let category { return category }
        if let category = Categories.named(text) { return category }
        throw CommandError(
            ExitCode.badData, "'\(path)', line \(number): there is no category '\(text.prefix(64))'",
            remedy: "Nothing changed. There are: \(Categories.names.sorted().joined(separator: ", ")).")
    }

    private func wrong(_ number: Int, _ what: String) -> CommandError {
        CommandError(
            ExitCode.badData, "'\(path)', line \(number) \(what)",
            remedy: "Nothing changed. Correct the file.")
    }

    var hasNothing: CommandError {
        CommandError(
            ExitCode.badData, "'\(path)' has no domain", remedy: "Nothing changed. Is it a list of domains?")
    }

    /// What a person should know of the lines left out.
    var remarks: [String] {
        guard strangeCount > 0 else { return [] }
        let numbers = strange.map(String.init).joined(separator: ", ")
        return [
            "\(strangeCount) names are no domains and were left out, in line \(numbers)"
                + (strangeCount > strange.count ? ", …" : "") + "."
        ]
    }

    // MARK: lines

    /// Without a remark at its end, and blanks around it.
    private static func trimmed(_ line: String) -> String {
        let text = line.firstIndex(of: "#").map { line[..<$0] } ?? line[...]
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func words(_ line: String) -> [String] {
        line.split { $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// Fields of CSV on one line: quotes keep commas, a doubled quote is one.
    private func fields(_ line: String, _ number: Int) throws(CommandError) -> [String] {
        var fields: [String] = []
        var field = ""
        var (isQuoted, wasQuote) = (false, false)
        for character in line {
            if character == "\"" {
                if wasQuote { field.append(character) }
                wasQuote = isQuoted
                isQuoted.toggle()
                continue
            }
            wasQuote = false
            if character == ",", !isQuoted {
                fields.append(field)
                field = ""
            } else {
                field.append(character)
            }
        }
        guard !isQuoted else { throw wrong(number, "ends inside quotes") }
        return (fields + [field]).map { Self.trimmed($0) }
    }
}
