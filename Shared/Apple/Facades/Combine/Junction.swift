import Foundation

/// One subscription to several publishers: their values arrive in one place, and one cancellation ends all of
/// them.
final class Junction<Output, Failure: Error> {
    let outlet: Outlet<Output, Failure>
    private let links = Guarded<[AnyCancellable]?>([])
    // Serializes the values of several publishers in order of arrival. Recursive because a subscriber may
    // cause another of them to send.
    private let order = NSRecursiveLock()

    init<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlet = Outlet(AnySubscriber(subscriber), keeping: .all)
    }

    /// Sends the subscription to the subscriber.
    func open() { outlet.open(onCancel: { [self] in end() }) }

    /// Subscribes to `publisher` with unlimited demand.
    func listen<P: Publisher>(
        to publisher: P, onCompletion: @escaping (Subscribers.Completion<P.Failure>) -> Void,
        onValue: @escaping (P.Output) -> Void
    ) {
        let sink = Subscribers.Sink<P.Output, P.Failure>(
            receiveCompletion: { [self] completion in inOrder { onCompletion(completion) } },
            receiveValue: { [self] value in inOrder { onValue(value) } })
        keep(sink)
        publisher.subscribe(sink)
    }

    /// Keeps a subscription until all end.
    func keep<C: Cancellable>(_ link: C) {
        let isOver = links.use { links in
            links?.append(AnyCancellable(link))
            return links == nil
        }
        if isOver { link.cancel() }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        outlet.send(completion: completion)
        end()
    }

    func inOrder(_ body: () -> Void) {
        order.lock()
        defer { order.unlock() }
        body()
    }

    private func end() {
        for link in links.exchange(nil) ?? [] { link.cancel() }
    }
}

/// A value of one of several types. Unlike a bare `Any` it distinguishes a nil value from a missing value.
private struct Cell<Value> {
    let value: Value
}

/// The values of several publishers that wait for their counterparts.
private final class Columns {
    private var waiting: [[Any]]
    private var isEnded: [Bool]
    private let keepsNewest: Bool

    init(count: Int, keepsNewest: Bool) {
        waiting = Array(repeating: [], count: count)
        isEnded = Array(repeating: false, count: count)
        self.keepsNewest = keepsNewest
    }

    /// - Returns: a complete row, if there is one now.
    func put(_ value: Any, in column: Int) -> Row? {
        if keepsNewest { waiting[column] = [value] } else { waiting[column].append(value) }
        let row = waiting.compactMap(\.first)
        guard row.count == waiting.count else { return nil }
        if !keepsNewest { for index in waiting.indices { waiting[index].removeFirst() } }
        return Row(cells: row)
    }

    func end(_ column: Int) { isEnded[column] = true }

    /// Whether no further row can be completed.
    var areOver: Bool {
        zip(isEnded, waiting).contains { $0 && $1.isEmpty } || keepsNewest && isEnded.allSatisfy { $0 }
    }
}

/// One value of each publisher, in the order of the publishers.
struct Row {
    fileprivate let cells: [Any]

    subscript<Value>(_ column: Int, _ type: Value.Type) -> Value {
        guard let cell = cells[column] as? Cell<Value> else {
            preconditionFailure("column \(column) holds \(Swift.type(of: cells[column])), not \(type)")
        }
        return cell.value
    }
}

/// Combines the values of several publishers of different types into rows.
struct Rows<Output, Failure: Error> {
    private let keepsNewest: Bool
    private let make: (Row) -> Output
    private var listeners: [(Junction<Output, Failure>, Int, Columns) -> Void] = []

    /// - Parameter keepsNewest: if true, a value is used until its publisher sends the next; otherwise it is
    /// used once.
    init(keepsNewest: Bool, make: @escaping (Row) -> Output) {
        self.keepsNewest = keepsNewest
        self.make = make
    }

    func adding<P: Publisher>(_ publisher: P) -> Rows where P.Failure == Failure {
        var result = self
        let make = self.make
        result.listeners.append { junction, column, columns in
            junction.listen(
                to: publisher,
                onCompletion: { completion in
                    if case .failure = completion { return junction.finish(completion) }
                    columns.end(column)
                    if columns.areOver { junction.finish(.finished) }
                },
                onValue: { value in
                    if let row = columns.put(Cell(value: value), in: column) {
                        junction.outlet.send(make(row))
                    }
                    if columns.areOver { junction.finish(.finished) }
                })
        }
        return result
    }

    func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let junction = Junction<Output, Failure>(subscriber)
        let columns = Columns(count: listeners.count, keepsNewest: keepsNewest)
        junction.open()
        for (column, listen) in listeners.enumerated() { listen(junction, column, columns) }
    }
}
