import SwiftUI
import Testing

@MainActor struct ContainerTests {
    @Test func listsAreLists() throws {
        let page = try Page(
            NavigationStack {
                List {
                    Section("Apps") { ForEach(["a", "b"], id: \.self) { Text($0) } }
                    Section {
                        Text("c")
                        Toggle("on", isOn: .constant(true))
                    } header: {
                        Text("Rest")
                    } footer: {
                        Text("foot")
                    }
                    Text("loose")
                }
                .navigationTitle("Usage")
                .toolbar { ToolbarItem(placement: .topBarTrailing) { Button("Edit") {} } }
            })
        #expect(page.all("ul").count == 3)
        #expect(page.all("li").count == 5)
        #expect(page.all("h1").count == 1 && page.all("h2").count == 2)
        #expect(page.all("p").allSatisfy { $0.attributes["class"] != nil })
        #expect(page.text == "Edit\nUsage\nApps\na\nb\nRest\nc\non on\nfoot\nloose\n")
        #expect(
            page.elements.contains {
                $0.attributes["role"] == "switch" && $0.attributes["aria-checked"] == "true"
            })
    }

    @Test func choicesShowWhatIsChosen() throws {
        let options = Group {
            Text("Day").tag(0)
            Text("Week").tag(1)
        }
        let page = try Page(
            VStack {
                Picker("Range", selection: .constant(1)) { options }.pickerStyle(.segmented)
                Picker("Range", selection: .constant(1)) { options }
                Picker("Each", selection: .constant("y")) { ForEach(["x", "y"], id: \.self) { Text($0) } }
            })
        let radios = page.elements.filter { $0.attributes["role"] == "radio" }
        #expect(radios.map { $0.attributes["aria-checked"] } == ["false", "true"])
        #expect(page.text == "Day Week\nWeek\ny\n")
    }

    @Test func tabsCanBeChosenWithoutScripts() throws {
        let page = try Page(
            TabView(selection: .constant("b")) {
                Text("one").tabItem { Label("First", systemImage: "house") }.tag("a")
                Text("two").tabItem { Label("Second", systemImage: "star") }.tag("b")
            })
        let inputs = page.all("input")
        #expect(
            inputs.count == 2 && inputs[1].attributes["checked"] != nil
                && inputs[0].attributes["checked"] == nil)
        let labels = page.all("label").compactMap { $0.attributes["for"] }
        #expect(labels == inputs.compactMap { $0.attributes["id"] })
        #expect(page.text == "First\none\nSecond\ntwo\n")
    }

    @Test func progressHasItsValue() throws {
        let page = try Page(
            VStack {
                ProgressView(value: 3, total: 12)
                ProgressView()
                Gauge(value: 0.6) { Text("Battery") }
                Slider(value: .constant(5), in: 0...10)
            })
        let bars = page.elements.filter { $0.attributes["aria-valuemin"] != nil }
        #expect(bars.map { $0.attributes["role"] } == ["progressbar", "progressbar", "meter", "slider"])
        #expect(bars.map { $0.attributes["aria-valuenow"] } == ["25", nil, "60", "50"])
    }

    @Test func imagesHaveWordsOrAreHidden() throws {
        let page = try Page(
            VStack {
                Image(systemName: "star.fill")
                Image(systemName: "bell").accessibilityLabel("Alarm")
                Image(systemName: "no.such.symbol")
                Label("Text", systemImage: "heart").labelStyle(.iconOnly)
                Text("secret").accessibilityHidden(true)
                Text("Heading").accessibilityAddTraits(.isHeader)
            })
        let drawings = page.all("svg")
        #expect(drawings.count == 4)
        #expect(drawings[0].attributes["aria-hidden"] == "true")
        #expect(drawings[1].attributes["role"] == "img" && drawings[1].attributes["aria-label"] == "Alarm")
        #expect(page.elements.contains { $0.attributes["role"] == "heading" })
        #expect(page.text == "Alarm\nText\nHeading\n")
    }

    @Test func whatIsShownAtTheBeginningIsDrawn() throws {
        let page = try Page(
            Text("under").sheet(isPresented: .constant(true)) { Text("over") }
                .alert("Never", isPresented: .constant(false)) { Button("OK") {} })
        #expect(page.text == "under\nover\n")
        #expect(page.elements.contains { $0.attributes["role"] == "dialog" })
    }

    @Test func sameIdsAreAllShown() throws {
        #expect(try Page(ForEach([1, 1, 2], id: \.self) { Text("\($0)") }).text == "1\n1\n2\n")
    }

    private struct Endless: View {
        var body: some View { VStack { AnyView(Endless()) } }
    }
    @Test func aBodyInsideItselfIsRefusedByName() {
        #expect(throws: RenderError.tooDeep(typeName: "Endless")) { try Page(Endless()) }
    }
    @Test func depthThatEndsIsDrawn() throws {
        var view = AnyView(Text("deep"))
        for _ in 0..<100 { view = AnyView(view.padding(1)) }
        #expect(try Page(view).text == "deep\n")
    }
    @Test func tooManyViewsAreRefused() {
        let pass = RenderPass(viewsMax: 100)
        _ = RenderContext(pass: pass).nodes(of: ForEach(0..<101) { Text(verbatim: "\($0)") }, at: "root")
        #expect(pass.failure == .tooMany)
    }
}
