extension Publisher {
    /// Sends the result of `transform` for each value.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        operating { { .pass(transform($0)) } }
    }

    /// The same; an error thrown by `transform` ends the subscription.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        trying { { .pass(try transform($0)) } }
    }

    /// Sends a property of each value.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> {
        map { $0[keyPath: keyPath] }
    }

    /// Sends two properties of each value as a tuple.
    public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.Map<Self, (T0, T1)> {
        map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }
    }

    /// Sends the results of `transform` that are not nil.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        operating { { value in transform(value).map { .pass($0) } ?? .drop } }
    }

    /// The same; an error thrown by `transform` ends the subscription.
    public func tryCompactMap<T>(
        _ transform: @escaping (Output) throws -> T?
    ) -> Publishers.TryMap<Self, T> {
        trying { { value in try transform(value).map { .pass($0) } ?? .drop } }
    }

    /// Sends the values for which `isIncluded` is true.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        operating { { isIncluded($0) ? .pass($0) : .drop } }
    }

    /// The same; an error thrown by `isIncluded` ends the subscription.
    public func tryFilter(
        _ isIncluded: @escaping (Output) throws -> Bool
    ) -> Publishers.TryMap<Self, Output> {
        trying { { try isIncluded($0) ? .pass($0) : .drop } }
    }

    /// Drops each value for which `predicate(previous, value)` is true, where `previous` was sent last.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        operating {
            var last: Output?
            return { value in
                if let last, predicate(last, value) { return .drop }
                last = value
                return .pass(value)
            }
        }
    }

    /// Drops the first `count` values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        precondition(count >= 0, "dropFirst(\(count))")
        return operating {
            var left = count
            return { value in
                guard left > 0 else { return .pass(value) }
                left -= 1
                return .drop
            }
        }
    }

    /// Drops values until `predicate` is false for the first time.
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.Drop<Self> {
        operating {
            var isDropping = true
            return { value in
                isDropping = isDropping && predicate(value)
                return isDropping ? .drop : .pass(value)
            }
        }
    }

    /// Finishes after `maxLength` values. If that is 0, finishes when the first value arrives.
    public func prefix(_ maxLength: Int) -> Publishers.Same<Self> {
        precondition(maxLength >= 0, "prefix(\(maxLength))")
        return operating {
            var left = maxLength
            return { value in
                left -= 1
                if left < 0 { return .end(.finished) }
                return left == 0 ? .passAndEnd(value) : .pass(value)
            }
        }
    }

    /// Finishes at the first value for which `predicate` is false; that value is dropped.
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.Same<Self> {
        operating { { predicate($0) ? .pass($0) : .end(.finished) } }
    }

    /// Sends the first value and finishes.
    public func first() -> Publishers.First<Self> { operating { { .passAndEnd($0) } } }

    /// Sends the first value for which `predicate` is true and finishes.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.First<Self> {
        operating { { predicate($0) ? .passAndEnd($0) : .drop } }
    }

    /// Sends each intermediate result of folding the values.
    public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        operating {
            var result = initialResult
            return { value in
                result = nextPartialResult(result, value)
                return .pass(result)
            }
        }
    }

    /// Calls the closures on each event, before it is passed on.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.Operator(self) {
            .init(
                onValue: { value in
                    receiveOutput?(value)
                    return .pass(value)
                },
                onCompletion: { completion in
                    receiveCompletion?(completion)
                    return (nil, completion)
                }, onSubscription: receiveSubscription, onRequest: receiveRequest, onCancel: receiveCancel)
        }
    }
}

extension Publisher where Output: Equatable {
    /// Drops each value that equals the one sent before.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }

    /// Sends whether `output` occurs, as soon as that is known, and finishes.
    public func contains(_ output: Output) -> Publishers.Operator<Self, Bool, Failure> {
        contains(where: { $0 == output })
    }
}

extension Publisher {
    /// Replaces nil by `output`.
    public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        map { $0 ?? output }
    }

    /// Sends whether `predicate` is true for any value, as soon as that is known, and finishes.
    public func contains(
        where predicate: @escaping (Output) -> Bool
    ) -> Publishers.Operator<Self, Bool, Failure> {
        Publishers.Operator(self) {
            .init(
                onValue: { predicate($0) ? .passAndEnd(true) : .drop },
                onCompletion: { completion in
                    if case .finished = completion { (false, completion) } else { (nil, completion) }
                }, isGathering: true)
        }
    }

    /// Sends all values as one array when the publisher finishes. Buffers without limit.
    public func collect() -> Publishers.Collect<Self> {
        gathering {
            var values: [Output] = []
            return ({ values.append($0) }, { values })
        }
    }

    /// Sends arrays of `count` values. The last one may be shorter.
    public func collect(_ count: Int) -> Publishers.Collect<Self> {
        precondition(count > 0, "collect(\(count))")
        return Publishers.Operator(self) {
            var values: [Output] = []
            return .init(
                onValue: { value in
                    values.append(value)
                    guard values.count == count else { return .drop }
                    defer { values = [] }
                    return .pass(values)
                },
                onCompletion: { completion in
                    if case .finished = completion, !values.isEmpty {
                        (values, completion)
                    } else {
                        (nil, completion)
                    }
                }, isGathering: true)
        }
    }

    /// Sends the result of folding all values when the publisher finishes.
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        gathering {
            var result = initialResult
            return ({ result = nextPartialResult(result, $0) }, { result })
        }
    }

    /// Sends the number of values when the publisher finishes.
    public func count() -> Publishers.Scan<Self, Int> { reduce(0) { count, _ in count + 1 } }

    /// Sends the last value when the publisher finishes.
    public func last() -> Publishers.Same<Self> {
        gathering {
            var last: Output?
            return ({ last = $0 }, { last })
        }
    }

    /// Drops all values and passes the completion.
    public func ignoreOutput() -> Publishers.Operator<Self, Never, Failure> {
        gathering { ({ _ in }, { nil }) }
    }

    /// Sends `output` if the publisher finishes without a value.
    public func replaceEmpty(with output: Output) -> Publishers.Same<Self> {
        Publishers.Operator(self) {
            var isEmpty = true
            return .init(
                onValue: { value in
                    isEmpty = false
                    return .pass(value)
                },
                onCompletion: { completion in
                    if case .finished = completion, isEmpty {
                        (output, completion)
                    } else {
                        (nil, completion)
                    }
                })
        }
    }

    // MARK: failures

    /// Replaces a failure by the result of `transform`.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.Operator(self) {
            .init(onValue: { .pass($0) }, onCompletion: { (nil, $0.mapError(transform)) })
        }
    }

    /// Sends `output` instead of a failure, and finishes.
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.Operator(self) {
            .init(
                onValue: { .pass($0) },
                onCompletion: { completion in
                    if case .failure = completion { (output, .finished) } else { (nil, .finished) }
                })
        }
    }

    /// Terminates the program with `prefix` and the failure if the publisher fails.
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.Operator<Self, Output, Never> {
        Publishers.Operator(self) {
            .init(
                onValue: { .pass($0) },
                onCompletion: { completion in
                    if case .failure(let error) = completion {
                        preconditionFailure("\(prefix) \(error)", file: file, line: line)
                    }
                    return (nil, .finished)
                })
        }
    }
}

extension Publisher where Failure == Never {
    /// Changes the failure type of a publisher that cannot fail, to combine it with one that can.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.Operator(self) {
            .init(
                onValue: { .pass($0) }, onCompletion: { _ in (nil, .finished) })
        }
    }
}
