import Contract
import Engine

/// The cells of a report: for each segment the keys that have anything, and how much.
struct ReportCells {
    struct Cell {
        var key: Int
        var value: Int64
    }

    /// In the order in which they were met.
    private(set) var keys: [String] = []
    /// By segment; no key comes twice in one.
    private(set) var segments: [[Cell]]
    private var places: [String: Int] = [:]

    init(segments: Int) { self.segments = Array(repeating: [], count: segments) }

    var isEmpty: Bool { segments.allSatisfy(\.isEmpty) }
    var count: Int { segments.reduce(0) { $0 + $1.count } }

    mutating func place(of key: String) -> Int {
        if let place = places[key] { return place }
        places[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// Takes the cells of one segment; keys may come several times, zeros are dropped.
    mutating func add(_ cells: [Cell], to segment: Int) {
        guard !segments[segment].isEmpty || cells.count > 1 else {
            segments[segment] = cells.filter { $0.value != 0 }
            return
        }
        var values = Array(repeating: Int64(0), count: keys.count)
        for cell in segments[segment] + cells { values[cell.key] += cell.value }
        var merged: [Cell] = []
        for cell in segments[segment] + cells where values[cell.key] != 0 {
            merged.append(Cell(key: cell.key, value: values[cell.key]))
            values[cell.key] = 0
        }
        segments[segment] = merged
    }

    /// The same with its keys sorted, in each segment too.
    func sorted() -> ReportCells {
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        var ranks = Array(repeating: 0, count: keys.count)
        for (rank, key) in order.enumerated() { ranks[key] = rank }
        var sorted = self
        sorted.keys = order.map { keys[$0] }
        for (index, cells) in segments.enumerated() {
            sorted.segments[index] = cells.map { Cell(key: ranks[$0.key], value: $0.value) }
                .sorted { $0.key < $1.key }
        }
        return sorted
    }
}
