import Combine
import FacadeProgram
import Foundation
import Testing

/// What a closure saw, in order.
final class Seen<Value> {
    var values: [Value] = []
    func take(_ value: Value) { values.append(value) }
}

/// Observable objects and published properties, as a program for iOS declares them.
@Suite struct CombineObjectTests {
    @Test func subscribersSeeTheValueBeforeThePropertyHasIt() {
        let model = LimitModel()
        let seen = Seen<[Int]>()
        let link = model.$minutes.sink { seen.take([$0, model.minutes]) }
        model.minutes = 45
        #expect(seen.values == [[30, 30], [45, 30]])
        link.cancel()
        model.minutes = 60
        #expect(seen.values.count == 2)
        #expect(model.minutes == 60)
    }

    @Test func anObjectTellsBeforeItChangesAlsoAsASubclass() {
        let model = StrictLimitModel()
        let seen = Seen<String>()
        let link = model.objectWillChange.sink { _ in seen.take("\(model.minutes) \(model.isStrict)") }
        model.minutes = 10
        model.isStrict = true
        model.add("Games")
        model.add("Video")
        #expect(seen.values == ["30 false", "10 false", "10 true", "10 true"])
        #expect(model.names == ["Games", "Video"])
        #expect(model.objectWillChange === model.objectWillChange)
        #expect(model.objectWillChange !== StrictLimitModel().objectWillChange)
        withExtendedLifetime(link) {}
    }

    @Test func genericAndBareAndManualObjectsTell() {
        let generic = GenericModel<String?>(nil)
        let bare = Plain()
        let manual = ManualModel()
        let seen = Seen<String>()
        var links: Set<AnyCancellable> = []
        generic.objectWillChange.sink { seen.take("generic") }.store(in: &links)
        bare.model.objectWillChange.sink { seen.take("bare") }.store(in: &links)
        manual.objectWillChange.sink { seen.take("manual \($0)") }.store(in: &links)
        generic.value = "x"
        bare.model.change()
        manual.name = "y"
        #expect(seen.values == ["generic", "bare", "manual y"])
        links.removeAll()
        bare.model.change()
        #expect(seen.values.count == 3, "a released link is cancelled")
    }

    @Test func aPublisherIsForgottenWithItsObject() {
        // Addresses are used again: the thousandth object must not hear of the first.
        for _ in 0..<1_000 {
            let model = BareModel()
            let seen = Seen<Void>()
            let link = model.objectWillChange.sink { seen.take(()) }
            model.change()
            #expect(seen.values.count == 1)
            withExtendedLifetime(link) {}
        }
    }

    @Test func aClassThatIsNotObservablePublishesAsWell() {
        let object = Unobserved(text: "a")
        let seen = Seen<String?>()
        let links = [object.$text.sink { seen.take($0) }, object.$note.sink { seen.take($0) }]
        object.text = "b"
        object.note = "c"
        #expect(seen.values == ["a", nil, "b", "c"])
        withExtendedLifetime(links) {}
    }

    @Test func assigningToAPublishedPropertyTellsAndKeepsNothingAlive() {
        var model: SearchModel? = SearchModel()
        weak let weakModel = model
        let seen = Seen<Int>()
        let link = model?.objectWillChange.sink { seen.take(weakModel?.results.count ?? -1) }
        model?.query = "tv"
        #expect(model?.results == ["tv", "TV"])
        model?.isOn = false
        #expect(model?.results == [])
        #expect(seen.values == [0, 0, 2, 2], "each of query, results, isOn, results told once")
        model = nil
        #expect(weakModel == nil)
        withExtendedLifetime(link) {}
    }

    @MainActor @Test func aModelOfTheMainActorFollowsItself() async {
        let model = MainModel.shared
        model.count = 21
        for await value in model.$doubled.values where value == 42 { break }
        #expect(model.doubled == 0 || model.doubled == 42)
    }

    @Test func aSubscriberThatComesFromManyThreadsLosesNothing() async {
        let model = LimitModel()
        let seen = Seen<Int>()
        let link = model.$minutes.dropFirst().sink { seen.take($0) }
        await concurrently(8) { thread in for step in 0..<500 { model.minutes = thread * 500 + step } }
        #expect(seen.values.count == 4_000, "deliveries to one subscriber never overlap")
        #expect(Set(seen.values).count == 4_000)
        withExtendedLifetime(link) {}
    }
}

/// Runs `body` on `count` plain threads at once, and waits for all.
func concurrently(_ count: Int, _ body: @escaping (Int) -> Void) async {
    // The bodies share their test's values on purpose: the test checks whether that is safe.
    nonisolated(unsafe) let body = body
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: count) { body($0) }
            continuation.resume()
        }
    }
}
