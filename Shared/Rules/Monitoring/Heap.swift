/// A binary heap with the smallest element first.
struct Heap<Element: Comparable> {
    private(set) var elements: [Element] = []

    var first: Element? { elements.first }
    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }

    init() {}

    /// A heap of these elements. Linear.
    init(_ elements: [Element]) {
        self.elements = elements
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    @discardableResult
    mutating func removeFirst() -> Element {
        elements.swapAt(0, elements.count - 1)
        let first = elements.removeLast()
        sink(0)
        return first
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && elements[child] < elements[smallest] {
                smallest = child
            }
            guard smallest != index else { return }
            elements.swapAt(index, smallest)
            index = smallest
        }
    }
}
