// Written as programs for iOS are, and compiled in their language mode.
import Combine
import Foundation

public class LimitModel: ObservableObject {
    @Published public var minutes = 30
    @Published public private(set) var names: [String] = []
    public init() {}
    public func add(_ name: String) { names.append(name) }
}

public class StrictLimitModel: LimitModel {
    @Published public var isStrict = false
}

public final class GenericModel<Value: Equatable>: NSObject, ObservableObject {
    @Published public var value: Value
    public init(_ value: Value) { self.value = value }
}

@MainActor
public final class MainModel: ObservableObject {
    public static let shared = MainModel()
    @Published public var count = 0
    @Published public var doubled = 0
    private var cancellables = Set<AnyCancellable>()

    private init() {
        $count
            .map { $0 * 2 }
            .receive(on: DispatchQueue.main)
            .sink { [weak self] value in self?.doubled = value }
            .store(in: &cancellables)
    }
}

public final class ManualModel: ObservableObject {
    public let objectWillChange = PassthroughSubject<String, Never>()
    public var name = "" {
        willSet { objectWillChange.send(newValue) }
    }
    public init() {}
}

public struct Plain: ObservableObjectHolder {
    public var model = BareModel()
    public init() {}
}
public protocol ObservableObjectHolder {
    associatedtype Model: ObservableObject
    var model: Model { get }
}
/// Without any published property.
public final class BareModel: ObservableObject {
    public init() {}
    public func change() { objectWillChange.send() }
}

/// Not observable, as Apple allows it.
public class Unobserved {
    @Published public var text: String
    @Published public var note: String?
    public init(text: String) { self.text = text }
}

public final class SearchModel: ObservableObject {
    @Published public var query = ""
    @Published public var isOn = true
    @Published public var results: [String] = []
    private var bag: [AnyCancellable] = []

    public init() {
        Publishers.CombineLatest($query, $isOn)
            .map { query, isOn in isOn && !query.isEmpty ? [query, query.uppercased()] : [] }
            .removeDuplicates()
            .assign(to: &$results)
        objectWillChange.sink { _ in }.store(in: &bag)
    }
}

public enum LoadError: Error, Equatable { case offline }

public func load(_ isOnline: Bool) -> AnyPublisher<[Int], LoadError> {
    Future<[Int], LoadError> { promise in
        DispatchQueue.global().async { promise(isOnline ? .success([3, 1, 2]) : .failure(.offline)) }
    }
    .map { $0.sorted() }
    .eraseToAnyPublisher()
}

public func loadOrNothing(_ isOnline: Bool) async -> [Int] {
    for await values in load(isOnline).replaceError(with: []).values { return values }
    return [-1]
}
