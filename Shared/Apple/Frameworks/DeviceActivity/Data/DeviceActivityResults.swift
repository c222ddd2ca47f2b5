/// An asynchronous sequence over elements that are already in memory.
public struct DeviceActivityResults<Element>: AsyncSequence {
    let elements: [Element]

    init(elements: [Element]) { self.elements = elements }

    /// Starts from the first element; the sequence can be iterated repeatedly.
    public func makeAsyncIterator() -> Iterator<Element> { Iterator(elements) }

    /// The iterator that Apple's API names.
    public typealias AsyncIterator = Iterator<Element>

    /// Hands out the elements without suspending.
    public class Iterator<IteratorElement>: AsyncIteratorProtocol {
        private var rest: ArraySlice<IteratorElement>

        init(_ elements: [IteratorElement]) { rest = elements[...] }

        /// As in Apple's API, independent of the sequence's element type.
        public typealias Element = IteratorElement

        /// The next element, or nil after the last.
        public func next() async -> IteratorElement? { rest.popFirst() }
    }
}

extension DeviceActivityResults: Sendable where Element: Sendable {}
