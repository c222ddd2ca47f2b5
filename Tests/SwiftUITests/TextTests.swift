import Foundation
import SwiftUI
import Testing

@MainActor struct TextTests {
    @Test func everythingIsEscaped() throws {
        let nasty = "<script>alert('x')</script> & \"quotes\" \u{1}\u{FFFE}"
        let page = try Page(
            VStack {
                Text(nasty).accessibilityLabel(nasty)
                Text(verbatim: nasty)
                Image(systemName: "star").accessibilityLabel(nasty)
                TextField(nasty, text: .constant(nasty))
            })
        #expect(!page.html.contains("<script"))
        #expect(
            page.html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;quotes&quot;"))
        #expect(page.text.contains("<script>"))
    }

    @Test func markdownOfLiteralsIsShownAndOfValuesIsNot() throws {
        let value = "**not**"
        let page = try Page(
            VStack {
                Text("**18%** less, *maybe* `code` ~~old~~ [site](https://example.org/) 2 * 3 a_b_c")
                Text(value)
                Text("[bad](javascript:alert(1))")
            })
        #expect(page.text.contains("18% less, maybe code old site 2 * 3 a_b_c"))
        #expect(page.text.contains("**not**"))
        #expect(page.css.contains("font-weight:700"))
        #expect(page.css.contains("font-style:italic"))
        #expect(page.css.contains("line-through"))
        #expect(page.all("a").map { $0.attributes["href"] } == ["https://example.org/"])
    }

    @Test func valuesInLiterals() throws {
        let count = 1_234
        let name = "100% %@ **x**"
        let page = try Page(
            VStack {
                Text("\(count) pickups of \(name), \(0.5, specifier: "%.1f"), \(Text("bold").bold())!")
                Text("\(Date(timeIntervalSince1970: 0), style: .date)").environment(\.timeZone, .gmt)
                Text(0.42, format: .percent)
                Text("a").bold() + Text(" b").foregroundColor(.red) + Text(verbatim: " c")
            }.environment(\.locale, Locale(identifier: "en_US")))
        #expect(page.text.contains("1,234 pickups of 100% %@ **x**, 0.5, bold!"))
        #expect(page.text.contains("January 1, 1970"))
        #expect(page.text.contains("42%"))
        #expect(page.text.contains("a b c"))
        #expect(page.css.contains("light-dark(#ff3b30,#ff453a)"))
    }

    @Test func wordsOfATableHaveTheirValuesInItsOrder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let english = folder.appendingPathComponent("Words.bundle/en.lproj")
        try FileManager.default.createDirectory(at: english, withIntermediateDirectories: true)
        defer {
            // What cannot be removed lies in the directory of temporary files.
            try? FileManager.default.removeItem(at: folder)
        }
        let table = #""hello" = "Good *day*"; "%lld of %@" = "%2$@ has **%1$lld**";"#
        try Data(table.utf8).write(to: english.appendingPathComponent("Localizable.strings"))
        let bundle = try #require(Bundle(path: english.deletingLastPathComponent().path))
        let page = try Page(
            VStack {
                Text("hello", bundle: bundle)
                Text("\(3) of \(Text("**all**"))", bundle: bundle)
                Text("50% of what is missing", bundle: bundle)
            })
        #expect(page.text == "Good day\nall has 3\n50% of what is missing\n")
    }

    @Test func fontsAndColoursOfPlacesReachTheText() throws {
        let page = try Page(
            VStack {
                Text("one").font(.system(size: 32, weight: .heavy, design: .serif))
                Group {
                    Text("two")
                    Text("three").font(.caption)
                }
                .font(.title2).foregroundStyle(.blue).fontWeight(.semibold)
            })
        let texts = page.all("p").map(page.css(of:))
        #expect(texts.count == 3)
        #expect(texts[0].contains("font-size:2rem") && texts[0].contains("font-weight:800"))
        #expect(texts[0].contains("Georgia"))
        #expect(texts[1].contains("font-size:1.375rem") && texts[1].contains("font-weight:600"))
        #expect(texts[1].contains("#007aff"))
        #expect(texts[2].contains("font-size:0.75rem") && texts[2].contains("font-weight:600"))
    }

    @Test func linesAreLimited() throws {
        let page = try Page(
            VStack {
                Text("a").lineLimit(1)
                Text("b").lineLimit(3)
            })
        let texts = page.all("p").map(page.css(of:))
        #expect(texts[0].contains("text-overflow:ellipsis"))
        #expect(texts[1].contains("-webkit-line-clamp:3"))
    }

    @Test func stringsOfAttributesKeepTheirLinks() throws {
        var string = AttributedString("Read ")
        var link = AttributedString("more")
        link.link = URL(string: "https://example.org/more")
        string += link
        let page = try Page(Text(string))
        #expect(page.text == "Read more\n")
        #expect(page.all("a").first?.attributes["href"] == "https://example.org/more")
    }
}
