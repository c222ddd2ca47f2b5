/// Figures, one after the other.
public struct DeviceActivityResults<Element>: AsyncSequence {
    let elements: [Element]

    init(elements: [Element]) { self.elements = elements }

    public func makeAsyncIterator() -> Iterator<Element> { Iterator(elements) }

    public typealias AsyncIterator = Iterator<Element>

    public class Iterator<IteratorElement>: AsyncIteratorProtocol {
        private var rest: ArraySlice<IteratorElement>

        init(_ elements: [IteratorElement]) { rest = elements[...] }

        public typealias Element = IteratorElement

        /// Nil after the last.
        public func next() async -> IteratorElement? { rest.popFirst() }
    }
}

extension DeviceActivityResults: Sendable where Element: Sendable {}
