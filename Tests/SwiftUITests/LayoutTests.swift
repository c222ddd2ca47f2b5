import SwiftUI
import Testing

@MainActor struct LayoutTests {
    @Test func spacersGrowAndSmallThingsStayAsTheyAre() throws {
        let page = try Page(
            HStack {
                Text("Instagram and other things with a long name")
                Spacer()
                Text("1h")
            })
        let row = try #require(page.elements.firstIndex { $0.attributes["class"]?.hasPrefix("h") == true })
        let inside = page.elements[(row + 1)...].prefix(3).map(page.css(of:))
        #expect(!inside[0].contains("flex"))
        #expect(inside[1].contains("flex:1 1 0"))
        #expect(inside[2].contains("flex-shrink:0"))
        #expect(page.text == "Instagram and other things with a long name 1h\n")
    }

    @Test func framesAndPadding() throws {
        let page = try Page(
            VStack(alignment: .leading, spacing: 3) {
                Text("a").frame(width: 40, height: 20, alignment: .topLeading)
                Text("b").frame(maxWidth: .infinity, alignment: .trailing)
                Text("c").padding()
                Text("d").padding(.horizontal, 5).padding(.top)
                Text("e").frame(minHeight: 90)
            })
        #expect(page.css.contains("place-items:start start;width:40px;flex-shrink:0;height:20px"))
        #expect(page.css.contains("place-items:center end"))
        #expect(page.css.contains("align-self:stretch"))
        #expect(page.css.contains("padding:16px 16px 16px 16px"))
        #expect(page.css.contains("padding:0 5px 0 5px"))
        #expect(page.css.contains("padding:16px 0 0 0"))
        #expect(page.css.contains("min-height:90px"))
        #expect(page.css.contains("gap:3px"))
        #expect(page.css.contains("align-items:start"))
    }

    @Test func widthsOfAReaderAreSharesOfIt() throws {
        let page = try Page(
            GeometryReader { place in
                ZStack(alignment: .leading) {
                    Capsule().fill(.gray)
                    Capsule().fill(.blue).frame(width: place.size.width * 0.25)
                    Circle().frame(width: 12)
                }
            }
            .frame(height: 8))
        #expect(page.css.contains("width:25cqw"))
        #expect(page.css.contains("width:12px"))
        #expect(page.css.contains("container-type:inline-size"))
    }

    @Test func aReaderInARowIsToldWhatIsLeft() throws {
        var told: CGFloat = 0
        _ = try Page(
            HStack(spacing: 10) {
                Color.red.frame(width: 100)
                GeometryReader { place in
                    let _ = told = place.size.width
                    Color.blue
                }
            }
            .frame(width: 310))
        #expect(abs(told - 200) < 1)
    }

    @Test func modifiersOfAGroupApplyToEach() throws {
        let page = try Page(
            VStack {
                Group {
                    Text("a")
                    Text("b")
                }.padding(7)
            })
        #expect(page.css.components(separatedBy: "padding:7px 7px 7px 7px").count == 3)
    }

    @Test func gridsHaveColumns() throws {
        let page = try Page(
            VStack {
                LazyVGrid(columns: [GridItem(.flexible()), GridItem(.fixed(50))]) {
                    ForEach(0..<4) { Text("\($0)") }
                }
                LazyVGrid(columns: [GridItem(.adaptive(minimum: 80))]) { Text("x") }
                Grid {
                    GridRow {
                        Text("1")
                        Text("2")
                        Text("3")
                    }
                    GridRow {
                        Text("4").gridCellColumns(2)
                        Text("5")
                    }
                }
            })
        #expect(page.css.contains("grid-template-columns:minmax(10px,1fr) 50px"))
        #expect(page.css.contains("grid-template-columns:repeat(auto-fill,minmax(min(80px,100%),1fr))"))
        #expect(page.css.contains("grid-template-columns:repeat(3,auto)"))
        #expect(page.css.contains("grid-column:span 2"))
    }

    @Test func darknessIsTheReadersOrTheViews() throws {
        let free = try Page(Color.orange)
        #expect(free.css.contains("light-dark(#ff9500,#ff9f0a)"))
        let dark = try Page(Text("x").preferredColorScheme(.dark))
        #expect(dark.css.contains("color-scheme:dark"))
        #expect(dark.html.contains(":root{color-scheme:dark}"))
    }
}
