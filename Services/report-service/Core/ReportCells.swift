import Contract
import Rules

/// The cells of a report: for each segment the keys with a value.
struct ReportCells {
    struct Cell {
        var key: Int
        var value: Int64
    }

    /// In the order of first use.
    private(set) var keys: [String] = []
    /// By segment; keys are unique within one.
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

    /// Adds the cells of one segment; zeros are dropped.
    /// - areUnique: whether no key occurs twice among them.
    mutating func add(_ cells: [Cell], to segment: Int, areUnique: Bool) {
        if areUnique, segments[segment].isEmpty {
            segments[segment] = cells
            segments[segment].removeAll { $0.value == 0 }
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

    /// The same cells with sorted keys, in each segment, too.
    func sorted() -> ReportCells {
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        var ranks = Array(repeating: 0, count: keys.count)
        for (rank, key) in order.enumerated() { ranks[key] = rank }
        var sorted = self
        sorted.keys = order.map { keys[$0] }
        var values = Array(repeating: Int64(0), count: keys.count)
        for index in segments.indices {
            sorted.segments[index].sort(by: ranks, &values)
        }
        return sorted
    }
}

extension [ReportCells.Cell] {
    /// Replaces each cell's key by its rank, and sorts by it. A segment with most of the keys is sorted by
    /// writing its values into `values`, which is all zero before and after.
    fileprivate mutating func sort(by ranks: [Int], _ values: inout [Int64]) {
        guard count > 1 else {
            if let only = first { self[0].key = ranks[only.key] }
            return
        }
        guard count * 8 > ranks.count else {
            for index in indices { self[index].key = ranks[self[index].key] }
            return sort { $0.key < $1.key }
        }
        for cell in self { values[ranks[cell.key]] = cell.value }
        var place = 0
        for rank in values.indices where values[rank] != 0 {
            self[place] = ReportCells.Cell(key: rank, value: values[rank])
            values[rank] = 0
            place += 1
        }
    }
}
