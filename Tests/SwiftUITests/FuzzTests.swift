import Foundation
import SwiftUI
import Testing

/// Unusual view trees also give well-formed pages, which hide nothing and execute nothing.
@MainActor struct FuzzTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
    private static let words = [
        "plain", "<b>&amp;\"'", "]]>", "</style><script>x()</script>", "日本語 \u{202E}abc", "\u{0}\u{7}",
        "a\nb", "%@ %d",
        "url(javascript:x)", "", "emoji 👩‍👩‍👧",
    ]

    private var random: Random
    private var said: [String] = []

    init() { random = Random(state: 0) }

    private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }
    private mutating func number() -> CGFloat {
        [0, 1, -4, 17.5, 1e9, .infinity, .nan, 120].randomElement(using: &random) ?? 0
    }

    private mutating func leaf() -> AnyView {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2:
            let text = word()
            said.append(text)
            return AnyView(Text(text))
        case 3: return AnyView(Image(systemName: word()))
        case 4: return AnyView(Circle().trim(from: number(), to: number()).stroke(.red, lineWidth: number()))
        case 5: return AnyView(Spacer())
        case 6: return AnyView(Divider())
        case 7: return AnyView(ProgressView(value: Double(number()), total: Double(number())))
        case 8: return AnyView(Toggle(word(), isOn: .constant(true)))
        case 9: return AnyView(TextField(word(), text: .constant(word())))
        case 10: return AnyView(Color(word()))
        default: return AnyView(Link(word(), destination: URL(filePath: "/x")))
        }
    }

    private mutating func view(_ depth: Int) -> AnyView {
        guard depth > 0 else { return leaf() }
        let one = view(depth - 1)
        let other = view(Int.random(in: 0..<depth, using: &random))
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            return AnyView(
                HStack(spacing: number()) {
                    one
                    other
                })
        case 1:
            return AnyView(
                VStack(alignment: .leading) {
                    one
                    other
                })
        case 2:
            return AnyView(
                ZStack {
                    one
                    other
                })
        case 3:
            return AnyView(
                List {
                    Section(word()) { one }
                    other
                })
        case 4: return AnyView(one.padding(number()).background(.red, in: Capsule()))
        case 5: return AnyView(one.frame(width: number(), height: number()).overlay { other })
        case 6: return AnyView(one.accessibilityLabel(word()).rotationEffect(.degrees(Double(number()))))
        case 7:
            return AnyView(
                Button(
                    action: {},
                    label: {
                        one
                        other
                    }))
        default: return more(one, other)
        }
    }

    private mutating func more(_ one: AnyView, _ other: AnyView) -> AnyView {
        switch Int.random(in: 8..<16, using: &random) {
        case 8:
            return AnyView(
                TabView {
                    one.tabItem { Text(word()) }
                    other
                })
        case 9:
            return AnyView(
                LazyVGrid(columns: [GridItem(.adaptive(minimum: number()))]) {
                    one
                    other
                })
        case 10: return AnyView(GeometryReader { place in one.frame(width: place.size.width / 3) })
        case 11: return AnyView(NavigationStack { one.navigationTitle(word()).toolbar { other } })
        case 12:
            return AnyView(
                one.font(.custom(word(), size: number())).foregroundStyle(
                    .linearGradient(
                        colors: [.red, .blue], startPoint: .top, endPoint: .bottom)))
        case 13:
            return AnyView(
                ScrollView(.horizontal) {
                    one
                    other
                }.mask { Circle() })
        case 14:
            return AnyView(
                DisclosureGroup(word()) {
                    one
                    other
                }.help(word()))
        default:
            return AnyView(
                Picker(word(), selection: .constant(1)) {
                    one.tag(1)
                    other.tag(2)
                })
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    mutating func anyTreeIsAPage(seed: UInt64) throws {
        random = Random(state: seed)
        let view = view(Int.random(in: 1...6, using: &random))
        let page = try Page(view)
        #expect(!page.html.contains("<script"), "seed \(seed)")
        #expect(page.html.components(separatedBy: "</style>").count == 2, "seed \(seed)")
        let targets = page.elements.compactMap { $0.attributes["href"] ?? $0.attributes["src"] }
        #expect(!targets.contains { $0.hasPrefix("javascript") }, "seed \(seed)")
        let names = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(names).count == names.count, "seed \(seed)")
        #expect(page.elements.allSatisfy { $0.attributes["onclick"] == nil && $0.name != "script" })
    }
}
