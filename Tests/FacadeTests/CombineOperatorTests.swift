import Combine
import FacadeProgram
import Foundation
import Testing

/// What each operator gives, and how it ends.
@Suite struct CombineOperatorTests {
    /// Everything a publisher sends at once, and "finished" or the failure.
    private func all<P: Publisher>(_ publisher: P) -> String {
        var texts: [String] = []
        let link = publisher.sink(
            receiveCompletion: { completion in
                if case .failure(let error) = completion {
                    texts.append("\(error)")
                } else {
                    texts.append(".")
                }
            }, receiveValue: { texts.append("\($0)") })
        link.cancel()
        return texts.joined(separator: " ")
    }

    private let numbers = [1, 2, 2, 3, 4].publisher

    @Test func operatorsOfOnePublisher() {
        #expect(all(numbers.map { $0 * 10 }) == "10 20 20 30 40 .")
        #expect(all(numbers.map(\.description.count)) == "1 1 1 1 1 .")
        #expect(all(numbers.compactMap { $0 % 2 == 0 ? "e\($0)" : nil }) == "e2 e2 e4 .")
        #expect(all(numbers.filter { $0 > 2 }) == "3 4 .")
        #expect(all(numbers.removeDuplicates()) == "1 2 3 4 .")
        #expect(all(numbers.dropFirst(3)) == "3 4 .")
        #expect(all(numbers.drop { $0 < 3 }) == "3 4 .")
        #expect(all(numbers.prefix(2)) == "1 2 .")
        #expect(all(numbers.prefix { $0 < 3 }) == "1 2 2 .")
        #expect(all(numbers.first()) == "1 .")
        #expect(all(numbers.first { $0 > 2 }) == "3 .")
        #expect(all(numbers.last()) == "4 .")
        #expect(all(numbers.scan(0, +)) == "1 3 5 8 12 .")
        #expect(all(numbers.reduce(0, +)) == "12 .")
        #expect(all(numbers.count()) == "5 .")
        #expect(all(numbers.collect()) == "[1, 2, 2, 3, 4] .")
        #expect(all(numbers.collect(2)) == "[1, 2] [2, 3] [4] .")
        #expect(all(numbers.contains(3)) == "true .")
        #expect(all(numbers.contains(9)) == "false .")
        #expect(all(numbers.ignoreOutput()) == ".")
        #expect(all([Int?.none, 1].publisher.replaceNil(with: 7)) == "7 1 .")
        #expect(all(Empty<Int, Never>().replaceEmpty(with: 5)) == "5 .")
        #expect(all(Optional(3).publisher) == "3 .")
        #expect(all(Just(1).append(2, 3).prepend(0)) == "0 1 2 3 .")
    }

    @Test func failures() {
        struct Odd: Error {}
        let failing = numbers.tryMap { value -> Int in
            if value == 3 { throw Odd() }
            return value
        }
        #expect(all(failing) == "1 2 2 Odd()")
        #expect(all(failing.replaceError(with: -1)) == "1 2 2 -1 .")
        #expect(all(failing.catch { _ in Just(8) }) == "1 2 2 8 .")
        #expect(all(failing.mapError { _ in LoadError.offline }) == "1 2 2 offline")
        #expect(all(failing.retry(1)) == "1 2 2 1 2 2 Odd()")
        #expect(all(Fail<Int, LoadError>(error: .offline)) == "offline")
        #expect(all(Just(1).setFailureType(to: LoadError.self)) == "1 .")
        #expect(all(Result<Int, LoadError>.failure(.offline).publisher) == "offline")
    }

    @Test func severalPublishers() {
        let (a, b, c) = (
            PassthroughSubject<Int, Never>(), CurrentValueSubject<String?, Never>(nil),
            PassthroughSubject<Bool, Never>()
        )
        let seen = Seen<String>()
        var links: Set<AnyCancellable> = []
        a.combineLatest(b).sink { seen.take("\($0)\($1 ?? "-")") }.store(in: &links)
        Publishers.CombineLatest3(a, b, c).sink { seen.take("\($0)\($1 ?? "-")\($2)") }.store(in: &links)
        Publishers.Zip(a, c).sink { seen.take("zip \($0) \($1)") }.store(in: &links)
        a.map(String.init).merge(with: b.compactMap { $0 }).sink { seen.take("merge \($0)") }.store(
            in: &links)
        a.send(1)
        b.send("x")
        c.send(true)
        a.send(2)
        #expect(
            seen.values == [
                "1-", "merge 1", "1x", "merge x", "1xtrue", "zip 1 true", "2x", "2xtrue", "merge 2",
            ])
        #expect(b.value == "x")
        a.send(completion: .finished)
        a.send(3)
        #expect(seen.values.count == 9, "nothing after the end")
    }

    @Test func publishersOfPublishers() {
        #expect(all([1, 3].publisher.flatMap { [$0, $0 + 1].publisher }) == "1 2 3 4 .")
        let outer = PassthroughSubject<CurrentValueSubject<Int, Never>, Never>()
        let (first, second) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(10))
        let seen = Seen<Int>()
        let isOver = Seen<Bool>()
        let link = outer.switchToLatest().sink(
            receiveCompletion: { _ in isOver.take(true) }, receiveValue: { seen.take($0) })
        outer.send(first)
        first.send(2)
        outer.send(second)
        first.send(3)
        second.send(11)
        #expect(seen.values == [1, 2, 10, 11])
        outer.send(completion: .finished)
        #expect(isOver.values == [], "the second still runs")
        second.send(completion: .finished)
        #expect(isOver.values == [true])
        link.cancel()
    }

    @Test func onePublisherAtATimeWhereThatIsAsked() {
        let inner = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
        let seen = Seen<Int>()
        let link = [0, 1].publisher.flatMap(maxPublishers: .max(1)) { inner[$0] }.sink { seen.take($0) }
        inner[1].send(9)
        inner[0].send(1)
        inner[0].send(completion: .finished)
        inner[1].send(2)
        #expect(seen.values == [1, 2], "the second is not subscribed to before the first has ended")
        withExtendedLifetime(link) {}
    }

    @Test func aSharedPublisherIsSubscribedToOnce() {
        let subject = PassthroughSubject<Int, Never>()
        let seen = Seen<String>()
        let shared =
            subject
            .handleEvents(
                receiveSubscription: { _ in seen.take("subscribed") },
                receiveOutput: { seen.take("out \($0)") },
                receiveCancel: { seen.take("cancelled") }
            )
            .share()
        var links = [shared.sink { seen.take("a\($0)") }, shared.sink { seen.take("b\($0)") }]
        subject.send(1)
        #expect(seen.values == ["subscribed", "out 1", "a1", "b1"])
        links.removeFirst()
        subject.send(2)
        links.removeAll()
        #expect(seen.values.suffix(3) == ["out 2", "b2", "cancelled"])
    }

    @Test func demandIsKept() {
        let seen = Seen<Int>()
        let held = Seen<any Subscription>()
        [1, 2, 3, 4].publisher.map { $0 }.subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: {
                    held.take($0)
                    $0.request(.max(1))
                },
                receiveValue: {
                    seen.take($0)
                    return $0 == 1 ? .max(1) : .none
                }))
        #expect(seen.values == [1, 2])
        held.values[0].request(.unlimited)
        #expect(seen.values == [1, 2, 3, 4])
    }

    @Test func assigningToAnObject() {
        let model = LimitModel()
        let link = [5, 6].publisher.assign(to: \.minutes, on: model)
        #expect(model.minutes == 6)
        link.cancel()
    }
}
