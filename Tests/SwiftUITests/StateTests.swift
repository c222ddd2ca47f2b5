import Combine
import Foundation
import SwiftUI
import Testing

private final class Model: ObservableObject {
    @Published var title = "first"
}
@Observable private final class Counter {
    var count = 1
}
private struct SizeKey: PreferenceKey {
    static let defaultValue = 0
    static func reduce(value: inout Int, nextValue: () -> Int) { value += nextValue() }
}
private struct LevelKey: EnvironmentKey { static let defaultValue = 1 }
extension EnvironmentValues {
    fileprivate var level: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
}

@MainActor struct StateTests {
    private struct Appearing: View {
        @State private var steps: [String] = []
        @State private var value = 0
        var body: some View {
            Text("\(value): \(steps.joined(separator: " "))")
                .onAppear {
                    steps.append("appeared")
                    value = 5
                }
                .onChange(of: value) { old, new in steps.append("\(old)→\(new)") }
        }
    }
    @Test func whatHappensAtTheBeginningIsDrawn() throws {
        #expect(try Page(Appearing()).text == "5: appeared 0→5\n")
    }

    private struct Loading: View {
        @State private var rows: [String]?
        var body: some View {
            Group {
                if let rows {
                    ForEach(rows, id: \.self) { Text($0) }
                } else {
                    ProgressView("Loading")
                }
            }
            .task { rows = await load() }
        }
        private func load() async -> [String] { ["one", "two"] }
    }
    @Test func tasksAreWaitedForOnlyWhereAsked() async throws {
        #expect(try Page(Loading()).text.contains("Loading"))
        let settled = try await Page(HTMLRenderer.settledPage(title: "x", Loading()))
        #expect(settled.text == "one\ntwo\n")
    }
    private static var never: AsyncStream<Int> { AsyncStream { _ in } }
    private struct Endless: View {
        var body: some View { Text("drawn").task { for await _ in StateTests.never {} } }
    }
    @Test func aTaskWithoutEndIsCancelled() async throws {
        let page = try await HTMLRenderer.settledPage(title: "x", deadline: .milliseconds(20), Endless())
        #expect(page.text == "drawn\n")
    }

    private struct Owner: View {
        @StateObject private var model = Model()
        @State private var counter = Counter()
        var body: some View {
            VStack {
                Reader()
                Observing(model: model)
                Text("count \(counter.count)")
                Bindings(counter: counter)
            }
            .environmentObject(model).environment(counter).environment(\.level, 7)
            .onAppear {
                model.title = "second"
                counter.count = 2
            }
        }
    }
    private struct Reader: View {
        @EnvironmentObject var model: Model
        @Environment(Counter.self) var counter
        @Environment(\.level) var level
        var body: some View { Text("\(model.title) \(counter.count) \(level)") }
    }
    private struct Observing: View {
        @ObservedObject var model: Model
        var body: some View { TextField("t", text: $model.title) }
    }
    private struct Bindings: View {
        @Bindable var counter: Counter
        var body: some View { Stepper("c \(counter.count)", value: $counter.count) }
    }
    @Test func objectsReachTheViewsBelow() throws {
        let text = try Page(Owner()).text
        #expect(text == "second 2 7\nsecond\ncount 2\nc 2\n")
    }

    private struct Stored: View {
        @AppStorage private var goal: Int
        @AppStorage private var name: String?
        init(store: UserDefaults) {
            _goal = AppStorage(wrappedValue: 30, "goal", store: store)
            _name = AppStorage("name", store: store)
        }
        var body: some View { Text("\(goal) \(name ?? "nobody")").onAppear { goal += 1 } }
    }
    @Test func defaultsAreReadAndWritten() throws {
        let suite = "swiftui-tests-\(UUID().uuidString)"
        let store = try #require(UserDefaults(suiteName: suite))
        defer { store.removePersistentDomain(forName: suite) }
        #expect(try Page(Stored(store: store)).text == "31 nobody\n")
        #expect(store.integer(forKey: "goal") == 31)
        store.set("Kim", forKey: "name")
        #expect(try Page(Stored(store: store)).text == "32 Kim\n")
    }

    private struct Summing: View {
        @State private var sum = 0
        var body: some View {
            VStack {
                Text("sum \(sum)")
                HStack {
                    Text("a").preference(key: SizeKey.self, value: 3)
                    Text("b").background(
                        GeometryReader { _ in Color.clear.preference(key: SizeKey.self, value: 4) })
                }
            }
            .onPreferenceChange(SizeKey.self) { sum = $0 }
        }
    }
    @Test func preferencesGoUpOnce() throws { #expect(try Page(Summing()).text == "sum 7\na b\n") }

    private struct Loud: ButtonStyle {
        @Environment(\.isEnabled) private var isEnabled
        func makeBody(configuration: Configuration) -> some View {
            HStack {
                Text(isEnabled ? "!" : "?")
                configuration.label
            }
            .padding(3)
        }
    }
    private struct Bars: ProgressViewStyle {
        func makeBody(configuration: Configuration) -> some View {
            Text(String(repeating: "#", count: Int((configuration.fractionCompleted ?? 0) * 10)))
        }
    }
    @Test func stylesOfOnesOwnAreApplied() throws {
        let page = try Page(
            VStack {
                Button("go") {}.buttonStyle(Loud())
                Button("stop") {}.buttonStyle(Loud()).disabled(true)
                ProgressView(value: 0.3).progressViewStyle(Bars())
                Label("alone", systemImage: "star").labelStyle(.titleOnly)
            })
        #expect(page.text == "! go\n? stop\n###\nalone\n")
        #expect(page.all("button").count == 2)
        #expect(page.all("button").allSatisfy { $0.attributes["disabled"] != nil })
        #expect(page.all("svg").isEmpty)
    }

    private struct Titled: ViewModifier {
        @State private var count = 1
        let title: String
        func body(content: Content) -> some View {
            VStack {
                Text("\(title) \(count)")
                content
            }
            .onAppear { count = 2 }
        }
    }
    @Test func modifiersHaveStateToo() throws {
        #expect(try Page(Text("x").modifier(Titled(title: "t"))).text == "t 2\nx\n")
    }

    @Test func bindingsReachTheirParts() {
        var numbers = [1, 2, 3]
        let binding = Binding(get: { numbers }, set: { numbers = $0 })
        binding[1].wrappedValue = 20
        #expect(numbers == [1, 20, 3])
        #expect(Binding<Int?>(binding[0]).wrappedValue == 1)
        let none: Binding<Int>? = Binding(.constant(nil as Int?))
        if none != nil { Issue.record("A binding to nothing must be nil.") }
    }
}
