import Rules

/// The keys of a report's cells, in the order of first use.
struct ReportKeys {
    struct Key {
        var text: String
        /// A person's name for it.
        var name: String?
    }

    private(set) var all: [Key] = []
    private var places: [String: Int] = [:]

    /// - name: a person's name for the key; counts at its first use.
    mutating func place(of key: String, name: String? = nil) -> Int {
        if let place = places[key] { return place }
        places[key] = all.count
        all.append(Key(text: key, name: name))
        return all.count - 1
    }

    func contains(_ key: String) -> Bool { places[key] != nil }
}

/// A key's value in one segment.
struct ReportCell {
    var key: Int
    var value: Int64
}

extension [ReportCell] {
    /// Removes zeros, and adds up the cells of each key that occurs several times.
    /// - Parameter values: one per key, all zero before and after.
    mutating func merge(from start: Int, _ values: inout [Int64]) {
        for cell in self[start...] { values[cell.key] += cell.value }
        var place = start
        for index in start..<count where values[self[index].key] != 0 {
            let key = self[index].key
            self[place] = ReportCell(key: key, value: values[key])
            values[key] = 0
            place += 1
        }
        removeLast(count - place)
    }

    /// The cells of one segment with ranks instead of keys, sorted. Where most keys are used they are not
    /// compared, but written to their places.
    /// - Parameters:
    ///   - range: the cells of the segment, without zeros; their keys are unique.
    ///   - values: one per rank, all zero before and after.
    func sorted(
        _ range: Range<Int>, by ranks: [Int], _ values: inout [Int64], _ sorted: inout [ReportCell]
    ) {
        sorted.removeAll(keepingCapacity: true)
        guard range.count * 8 > values.count else {
            for cell in self[range] { sorted.append(ReportCell(key: ranks[cell.key], value: cell.value)) }
            return sorted.sort { $0.key < $1.key }
        }
        for cell in self[range] { values[ranks[cell.key]] = cell.value }
        for rank in values.indices where values[rank] != 0 {
            sorted.append(ReportCell(key: rank, value: values[rank]))
            values[rank] = 0
        }
    }
}
