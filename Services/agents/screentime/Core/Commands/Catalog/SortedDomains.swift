import CommandKit
import Contract
import Rules

/// All domains of a file, sorted, each once: of those that come twice the first counts. A million take some
/// 50 MB.
struct SortedDomains {
    private struct Entry {
        var domain: String
        /// Its place in `Categories.names`.
        var category: UInt8
        /// In the file.
        var order: UInt32
    }

    private var entries: [Entry] = []

    /// Domains one list may have; the service's limit too.
    private static let domainsMax = 2_000_000

    init(_ file: CatalogFile, _ lines: LineReader) throws(CommandError) {
        while let entry = try file.next(lines) {
            let category = Categories.names.firstIndex(of: entry.category) ?? 0
            entries.append(
                Entry(
                    domain: entry.subject, category: UInt8(category), order: UInt32(entries.count)))
            guard entries.count <= Self.domainsMax else {
                throw CommandError(
                    ExitCode.badData, "the list has more than \(Self.domainsMax) domains (domainsMax)",
                    remedy: "Nothing changed. Split it into several lists.")
            }
        }
        entries.sort { left, right in
            left.domain == right.domain
                ? left.order < right.order
                : left.domain < right.domain
        }
        var last: String?
        entries.removeAll { entry in
            defer { last = entry.domain }
            return entry.domain == last
        }
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// As many as one message holds, by category, and where the next part begins.
    func part(from start: Int, domainsMax: Int, bytesMax: Int) -> (groups: [CatalogGroup], end: Int) {
        var byCategory = [[String]](repeating: [], count: Categories.names.count)
        var end = start
        var bytes = 0
        while end < entries.count, end - start < domainsMax, bytes < bytesMax {
            let entry = entries[end]
            byCategory[Int(entry.category)].append(entry.domain)
            bytes += entry.domain.utf8.count + 3
            end += 1
        }
        let groups = byCategory.indices.filter { !byCategory[$0].isEmpty }.map {
            CatalogGroup(category: Categories.names[$0], domains: byCategory[$0])
        }
        return (groups, end)
    }
}
