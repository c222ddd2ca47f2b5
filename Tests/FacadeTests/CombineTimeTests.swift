import Combine
import FacadeProgram
import Foundation
import Testing

/// Queues, clocks and waiting.
@Suite struct CombineTimeTests {
    @Test func valuesReachTheirQueueInOrderAlsoOnAConcurrentOne() async {
        let numbers = await valuesOf((0..<500).publisher.receive(on: DispatchQueue.global()))
        #expect(numbers == Array(0..<500))
    }

    private func valuesOf<P: Publisher>(_ publisher: P) async -> [P.Output] where P.Failure == Never {
        var values: [P.Output] = []
        for await value in publisher.values { values.append(value) }
        return values
    }

    @Test func nothingComesAfterCancelOnTheSameQueue() async {
        let queue = DispatchQueue(label: "test")
        let subject = PassthroughSubject<Int, Never>()
        let seen = Seen<Int>()
        let link = subject.receive(on: queue).sink { seen.take($0) }
        queue.sync {
            subject.send(1)  // Waits behind this block.
            link.cancel()
        }
        queue.sync {}
        #expect(seen.values == [])
    }

    @Test func theMainQueueAndTheMainRunLoopAreServed() async {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        func isMain(_: Int) -> Bool { DispatchQueue.getSpecific(key: key) == true }
        #expect(await valuesOf(Just(1).receive(on: DispatchQueue.main).map(isMain)) == [true])
        #expect(await valuesOf(Just(1).receive(on: RunLoop.main).map(isMain)) == [true])
        #expect(await valuesOf(Just(1).subscribe(on: DispatchQueue.main).map(isMain)) == [true])
        let operations = OperationQueue()
        #expect(await valuesOf(Just(7).receive(on: operations)) == [7])
    }

    @Test func debounceSendsTheLastOfABurst() async {
        let subject = PassthroughSubject<Int, Never>()
        let settled = subject.debounce(for: .milliseconds(20), scheduler: DispatchQueue.main)
        // The iteration starts at an unknown time, so bursts are repeated until one is received.
        let burst = Timer.publish(every: 0.1, on: .main, in: .common).autoconnect().sink { _ in
            for value in 1...3 { subject.send(value) }
        }
        for await first in settled.values {
            #expect(first == 3)
            break
        }
        burst.cancel()
    }

    @Test func throttleSendsTheFirstAtOnceAndThenTheNewest() async {
        let values = await valuesOf(
            [1, 2, 3].publisher.throttle(for: .milliseconds(5), scheduler: DispatchQueue.main, latest: true))
        #expect(values.last == 3)
        let delayed = Date()
        #expect(await valuesOf(Just(1).delay(for: 0.02, scheduler: DispatchQueue.main)) == [1])
        #expect(Date().timeIntervalSince(delayed) >= 0.02)
    }

    @Test func aTimerTicksUntilItIsCancelled() async {
        var count = 0
        for await _ in Timer.publish(every: 0.005, on: .main, in: .common).autoconnect().values {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
    }

    @Test func notificationsArrive() {
        let center = NotificationCenter()
        let name = Notification.Name("limitReached")
        let seen = Seen<Int>()
        let link = center.publisher(for: name).compactMap { $0.userInfo?["minutes"] as? Int }
            .sink { seen.take($0) }
        center.post(name: name, object: nil, userInfo: ["minutes": 5])
        link.cancel()
        center.post(name: name, object: nil, userInfo: ["minutes": 6])
        #expect(seen.values == [5])
    }

    @Test func futuresAreAwaited() async throws {
        #expect(await loadOrNothing(true) == [1, 2, 3])
        #expect(await loadOrNothing(false) == [])
        #expect(try await Future<Int, any Error> { $0(.success(4)) }.value == 4)
        #expect(await Future<Int, Never> { $0(.success(5)) }.value == 5)
        await #expect(throws: LoadError.offline) {
            for try await _ in load(false).values {}
        }
    }

    @Test func aCancelledTaskStopsWaiting() async {
        let subject = PassthroughSubject<Int, Never>()
        let task = Task { @MainActor in
            for await _ in subject.values {}
            return true
        }
        task.cancel()
        #expect(await task.value)
    }
}
