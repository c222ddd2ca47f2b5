import Contract
import Foundation
import FoundationXML
import ServiceKit
import Testing

@testable import ReportCore

/// Pages of report programs: what is allowed, what is removed, what is refused.
@Suite struct PageFilterTests {
    private static func body(_ content: String) -> String { "<html><body>\(content)</body></html>" }

    private static func written(_ content: String) throws -> String {
        let html = try PageFilter.page(body(content)).html
        let start = try #require(html.range(of: "<body>")).upperBound
        let end = try #require(html.range(of: "</body>")).lowerBound
        return String(html[start..<end])
    }

    // MARK: what passes

    @Test func whatViewsAreDrawnAsPasses() throws {
        let page = """
            <!DOCTYPE html>
            <html lang="de-DE"><head><meta charset="utf-8"/><title>A &amp; B</title>
            <style>:root{color-scheme:light dark}
            .ts>input:nth-of-type(2):checked~.tp:nth-of-type(2){display:grid}
            .s1,.b.c{background:linear-gradient(to right,rgba(0,0,0,.5) 0%,#fff 100%);width:calc(100% - 8px)}
            .s2{font-family:system-ui,"Noto Sans";transform:rotate(-4.5deg);clip-path:path("M0 0L1 1z")}
            </style></head>
            <body class="x"><main class="s1 b"><p class="t">1 &lt; 2 &#39;q&#39;</p>
            <svg viewBox="0 0 24 24" role="img" aria-label="a"><linearGradient id="g1" x1="0" y1="0"><stop \
            offset="0" class="s2"></stop></linearGradient><path d="M0 0L10 10z" fill="url(#g1)"/>\
            <foreignObject mask="url(#m)" width="1" height="1"><div>in</div></foreignObject></svg>
            <input type="radio" name="n" id="i" checked=""/></main></body></html>
            """
        let filtered = try PageFilter.page(page)
        #expect(filtered.leftOut == [])
        for part in [
            "<html lang=\"de-DE\">", "<title>A &amp; B</title>", "<body class=\"x\">",
            ".ts>input:nth-of-type(2):checked~.tp:nth-of-type(2){display:grid}",
            "width:calc(100% - 8px)", "clip-path:path(\"M0 0L1 1z\")", "1 &lt; 2 &#39;q&#39;",
            "fill=\"url(#g1)\"", "<div>in</div></foreignObject></svg>",
            "<input type=\"radio\" name=\"n\" id=\"i\" checked=\"\"/>", "default-src 'none'",
        ] {
            #expect(filtered.html.contains(part), "\(part)")
        }
    }

    @Test func writingItAgainChangesNothing() throws {
        let once = try Self.written(
            "<div style=\"color:red;left:1px\"><svg><g><title>t</title></g></svg></div>")
        #expect(try Self.written(once) == once)
    }

    // MARK: what is removed

    /// Content of the page of which nothing must remain.
    static let leftOut: [String] = [
        "<script>alert(1)</script>", "<SCRIPT>alert(1)</SCRIPT>", "<scr:ipt>alert(1)</scr:ipt>",
        "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.example\"/>",
        "<link rel=\"stylesheet\" href=\"https://evil.example\"></link>",
        "<base href=\"https://evil.example/\"></base>",
        "<iframe src=\"file:///etc/passwd\"></iframe>", "<iframe srcdoc=\"evil\"></iframe>",
        "<frame src=\"evil\"></frame>", "<object data=\"evil\"></object>", "<embed src=\"evil\"></embed>",
        "<applet code=\"evil\"></applet>", "<form action=\"https://evil.example\"></form>",
        "<input type=\"image\" src=\"https://evil.example\"/>", "<button formaction=\"evil\">x</button>",
        "<button type=\"submit\" form=\"evil\">x</button>",
        "<img src=\"https://evil.example/i.png\"/>", "<img src=\"//evil.example/i.png\"/>",
        "<img src=\"evil.png\"/>", "<img src=\"file:///evil\"/>", "<img src=\"javascript:evil\"/>",
        "<img src=\"data:text/html;base64,ZXZpbA==\"/>", "<img src=\"data:image/png;base64,ZXZpbA==\"/>",
        "<img src=\"data:image/svg+xml,&lt;svg onload=evil&gt;\"/>",
        "<img srcset=\"https://evil.example 2x\"/>",
        "<img src=\"x\" onerror=\"evil()\"/>", "<p onclick=\"evil()\">a</p>", "<p ONCLICK=\"evil()\">a</p>",
        "<a href=\"javascript:evil()\">a</a>", "<a href=\"https://evil.example\">a</a>",
        "<a href=\"&#106;avascript:evil()\">a</a>", "<a href=\"java&#10;script:evil()\">a</a>",
        "<a xlink:href=\"javascript:evil()\">a</a>", "<a ping=\"https://evil.example\">a</a>",
        "<video src=\"evil\" poster=\"evil\"></video>", "<audio src=\"evil\"></audio>",
        "<source src=\"https://evil.example\"/>", "<source srcset=\"https://evil.example\"/>",
        "<picture><source srcset=\"https://evil.example\" media=\"evil\"/></picture>",
        "<body background=\"https://evil.example\"></body>",
        "<table background=\"https://evil.example\"></table>",
        "<template><script>evil</script></template>", "<noscript><p>evil</p></noscript>",
        "<textarea>&lt;/textarea&gt;evil</textarea>", "<xmp>evil</xmp>", "<plaintext>evil</plaintext>",
        "<select><option>evil</option></select>", "<math><mtext>evil</mtext></math>",
        "<math><mglyph><style>evil</style></mglyph></math>", "<style>p{color:evil}</style>",
        "<title>evil</title>", "<svg><script>evil</script></svg>", "<svg><style>*{x:evil}</style></svg>",
        "<svg onload=\"evil\"></svg>",
        "<svg><animate attributeName=\"href\" values=\"javascript:evil\"/></svg>",
        "<svg><set attributeName=\"onclick\" to=\"evil\"/></svg>",
        "<svg><use href=\"data:image/svg+xml;base64,evil\"/></svg>", "<svg><use href=\"#evil\"/></svg>",
        "<svg><a href=\"javascript:evil\"><text>x</text></a></svg>",
        "<svg><image href=\"https://evil.example\"/></svg>",
        "<svg><image xlink:href=\"https://evil.example\"/></svg>",
        "<svg><feImage href=\"https://evil.example\"/></svg>",
        "<svg><foreignObject><script>evil</script></foreignObject></svg>",
        "<svg><foreignObject><iframe src=\"evil\"></iframe></foreignObject></svg>",
        "<svg><foreignObject><svg><script>evil</script></svg></foreignObject></svg>",
        "<svg><title><p id=\"evil\">x</p></title></svg>", "<svg><p>evil</p></svg>",
        "<svg><path fill=\"url(https://evil.example#a)\"/></svg>", "<svg><path fill=\"url(#a) evil\"/></svg>",
        "<svg><path mask=\"url(//evil.example)\"/></svg>", "<svg><path filter=\"url('evil')\"/></svg>",
        "<svg><path clip-path=\"URL(#evil)\"/></svg>", "<g>evil</g>", "<path d=\"evil\"/>",
        "<p style=\"background:url(https://evil.example)\">a</p>", "<p style=\"background:URL(evil)\">a</p>",
        "<p style=\"background:url (evil)\">a</p>", "<p style=\"behavior:evil\">a</p>",
        "<p style=\"-moz-binding:evil\">a</p>", "<p style=\"background:image-set('evil' 1x)\">a</p>",
        "<p style=\"background:image(evil)\">a</p>", "<p style=\"background:cross-fade(evil)\">a</p>",
        "<p style=\"background:-webkit-image-set(evil)\">a</p>", "<p style=\"width:expression(evil)\">a</p>",
        "<p style=\"background:element(#evil)\">a</p>", "<p style=\"color:var(--evil)\">a</p>",
        "<p style=\"color:attr(evil)\">a</p>", "<p style=\"content:'evil'\">a</p>",
        "<p style=\"position:fixed;color:env(evil)\">a</p>", "<p style=\"animation:evil 1s\">a</p>",
        "<p style=\"transition:evil\">a</p>", "<p style=\"--evil:1\">a</p>",
        "<p style=\"color:/*evil*/red\">a</p>",
        "<p style=\"background:linear-gradient(url(evil),red)\">a</p>", "<p style=\"src:local(evil)\">a</p>",
        "<p style=\"cursor:url(evil),auto\">a</p>", "<p style=\"list-style:url(evil)\">a</p>",
        "<p style=\"filter:url(#evil)\">a</p>", "<p style=\"filter:progid:evil\">a</p>",
        "<p style=\"color:red !evil\">a</p>", "<p id=\"&quot;&gt;evil\">a</p>",
        "<p class=\"a&#0000096;evil\">a</p>",
        "<p target=\"evil\">a</p>", "<p contenteditable=\"evil\">a</p>", "<p is=\"evil\">a</p>",
        "<p xmlns=\"evil\">a</p>", "<p slot=\"evil\">a</p>", "<p accesskey=\"evil\">a</p>",
        "<label for=\"evil evil.evil\">a</label>", "<p draggable=\"evil\">a</p>", "<x-evil>evil</x-evil>",
        "<screentime-report context=\"evil\">evil</screentime-report>", "<html><body>evil</body></html>",
        "<head>evil</head>", "<dialog open=\"\">evil</dialog>", "<portal src=\"evil\"></portal>",
        "<marquee>evil</marquee>", "<keygen>evil</keygen>", "<bgsound src=\"evil\"></bgsound>",
        "<area href=\"evil\"></area>", "<map>evil</map>", "<track src=\"evil\"></track>",
        "<canvas>evil</canvas>",
        "<progress value=\"evil\"></progress>", "<fencedframe>evil</fencedframe>", "<noembed>evil</noembed>",
    ]

    @Test(arguments: leftOut) func whatIsNotOnTheListsIsLeftOut(content: String) throws {
        let filtered = try PageFilter.page(Self.body("\(content)<b>after</b>"))
        #expect(!filtered.leftOut.isEmpty)
        #expect(filtered.html.contains("<b>after</b></body>"))
        let lower = filtered.html.lowercased()
        for word in [
            "evil", "<script", "alert", "javascript", "https:", "file:", "@import", "onclick", "srcdoc",
            "<iframe", "http-equiv=\"refresh", "<p>x</p></title>",
        ] {
            #expect(!lower.contains(word), "\(word) of \(content)")
        }
        for name in filtered.leftOut { #expect(name.utf8.count < 100) }
    }

    @Test func anImageInSVGIsFilteredToo() throws {
        func image(_ drawing: String) -> String {
            "<img alt=\"\" src=\"data:image/svg+xml;base64,\(Base64.text(Array(drawing.utf8)))\"/>"
        }
        let begin = "<svg xmlns=\"http://www.w3.org/2000/svg\">"
        let good = try Self.written(
            image("<?xml version=\"1.0\"?><!-- a --> \(begin)<rect width=\"1\"/></svg>"))
        #expect(good == image("\(begin)<rect width=\"1\"></rect></svg>"))
        let bad = try Self.written(image("\(begin)<script>evil</script><rect onload=\"evil\"/></svg>"))
        #expect(bad == image("\(begin)<rect></rect></svg>"))
        for drawing in [
            "<svg>", "<p>a</p>", "<!DOCTYPE svg [<!ENTITY a \"b\">]>\(begin)</svg>", "\(begin)&a;</svg>",
        ] {
            #expect(try Self.written(image(drawing)) == "<img alt=\"\"/>")
        }
    }

    // MARK: what is refused

    static let refused: [String] = [
        "", "text", "<p>a</p>", "<html>", "<html><body>", "<html><body></html></body>",
        "<html><body><p>a</body></html>", "<html><body></p></body></html>", "<html></html><script>a</script>",
        "<html></html>text", "<html><body><!-- a --></body></html>",
        "<html><body><!--><script>a</script>--></body></html>",
        "<html><body><![CDATA[<script>]]></body></html>",
        "<?xml version=\"1.0\"?><html></html>", "<html><body><?php a ?></body></html>",
        "<!DOCTYPE html SYSTEM \"a\"><html></html>", "<!DOCTYPE html [<!ENTITY a \"b\">]><html></html>",
        "<html><body>&nbsp;</body></html>", "<html><body>&a;</body></html>",
        "<html><body>a & b</body></html>",
        "<html><body>&#0;</body></html>", "<html><body>&#x110000;</body></html>",
        "<html><body>&#xD800;</body></html>",
        "<html><body>&#+65;</body></html>", "<html><body>&#65</body></html>", "<html><body>&lt</body></html>",
        "<html><body><p a=b>a</p></body></html>", "<html><body><p a>a</p></body></html>",
        "<html><body><p a=\"b\"c=\"d\">a</p></body></html>", "<html><body><p a=\"<\">a</p></body></html>",
        "<html><body><p a=\"1\" a=\"2\">a</p></body></html>", "<html><body><p a=\"b>a</p></body></html>",
        "<html><body><br></body></html>", "<html><body><img src=\"a\"></body></html>",
        "<html><body><p/onclick=\"a\">a</p></body></html>", "<html><body><p\u{0}>a</p></body></html>",
        "<html><body>\u{0}</body></html>", "<html><body>< p>a</p></body></html>",
        "<html><body><p/ >a</p></body></html>", "<html><body></ p></body></html>",
        "<html><body><style>a<b</style></body></html>",
        "<html><head><style>@import 'a';</style></head></html>",
        "<html><head><style>@media print{p{color:red}}</style></head></html>",
        "<html><head><style>@font-face{src:url(a)}</style></head></html>",
        "<html><head><style>p{color:\\75rl(a)}</style></head></html>",
        "<html><head><style>p[value^=a]{color:red}</style></head></html>",
        "<html><head><style>p::before{color:red}</style></head></html>",
        "<html><head><style>p:has(a){color:red}</style></head></html>",
        "<html><head><style>p{color:red</style></head></html>",
        "<html><head><style>p{color}</style></head></html>",
        "<html><head><style>p{color:\"red}</style></head></html>",
        "<html><head><style>/* a */p{color:red}</style></head></html>",
        "<html><head><style>p{color:red}}</style></head></html>",
        "<html><head><style>&lt;!--</style></head></html>",
        "<html><head><style><!-- p{} --></style></head></html>",
        "<html><head><style>p{a:{b:c}}</style></head></html>",
        "<html><body><p style=\"color:r\\65 d\">a</p></body></html>",
        "<html><body><p style=\"color:red}\">a</p></body></html>",
        "<html><body><math><annotation-xml encoding=\"text/html\"><style></math></body></html>",
    ]

    @Test(arguments: refused) func whatIsNotWellFormedIsRefused(page: String) throws {
        do {
            let filtered = try PageFilter.page(page)
            Issue.record("it passed as \(filtered.html)")
        } catch {
            #expect(
                error.name == .internalError && error.message.hasPrefix("the page was refused at its byte"))
        }
    }

    @Test func tooMuchIsRefused() throws {
        func nested(_ depth: Int) -> String {
            Self.body(String(repeating: "<b>", count: depth) + String(repeating: "</b>", count: depth))
        }
        #expect(try PageFilter.page(nested(Markup.Limits.depthMax - 2)).leftOut == [])
        #expect(throws: ServiceError.self) { try PageFilter.page(nested(Markup.Limits.depthMax - 1)) }
        #expect(throws: ServiceError.self) { try PageFilter.page(nested(200_000)) }
        let many = (0...Markup.Limits.attributesMax).map { "a\($0)=\"\"" }.joined(separator: " ")
        #expect(throws: ServiceError.self) { try PageFilter.page(Self.body("<p \(many)>a</p>")) }
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try Self.written("<p title=\"\(long)\">a</p>").utf8.count > 1 << 20)
        #expect(throws: ServiceError.self) { try PageFilter.page(Self.body("<\(long)>a</\(long)>")) }
        let functions = String(repeating: "min(", count: 100) + String(repeating: ")", count: 100)
        #expect(
            try PageFilter.page(Self.body("<p style=\"width:\(functions)\">a</p>")).leftOut == [
                "style property width"
            ])
    }

    // MARK: mutation

    /// Whatever the input, the output has only allowed elements and attributes, as read by another parser,
    /// and passes unchanged.
    @Test func mutatedPagesGiveNothingAway() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        print("PageFilterTests.mutatedPagesGiveNothingAway: seed \(seed)")
        var chance = SplitMix(seed: seed)
        let pieces =
            Self.leftOut + Self.refused + [
                "<", ">", "\"", "'", "&", "</", "/>", "<!--", "-->", "<svg>", "</svg>", "<foreignObject>",
                "<title>", "</title>", "<p>", "</p>", "<style>", "</style>", "=", " ", "url(", ")", ";",
                "\u{301}",
                "<p title=\"\u{301}&quot;\u{301}\">a</p>", "<b>b</b>", "&lt;script&gt;", "\u{FFFE}", "\u{85}",
            ]
        var passed = 0
        for _ in 0..<4_000 {
            var content = ""
            for _ in 0..<chance.below(6) + 1 {
                var piece = Array(pieces[chance.below(pieces.count)].unicodeScalars)
                if chance.below(4) == 0, !piece.isEmpty { piece.remove(at: chance.below(piece.count)) }
                content.unicodeScalars.append(contentsOf: piece)
            }
            // What is refused gives nothing away.
            guard let filtered = try? PageFilter.page(Self.body(content)) else { continue }
            passed += 1
            try Self.holdsOnlyWhatMayBe(filtered.html, content)
        }
        #expect(passed > 400, "most was refused, so the test says little: \(passed)")
    }

    private static func holdsOnlyWhatMayBe(_ html: String, _ content: String) throws {
        let reader = ListReader()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(content) became \(html)")
        #expect(reader.others == [], "\(content) became \(html)")
        let again = try PageFilter.page(html)
        #expect(again.html == html && again.leftOut.isEmpty)
    }

    private final class ListReader: NSObject, XMLParserDelegate {
        var others: [String] = []
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            if ["html", "head", "meta", "title", "style", "body"].contains(name) { return }
            guard PageRules.html.contains(name) || PageRules.svg.contains(name) else {
                return others.append(name)
            }
            for attribute in attributes.keys where attribute.hasPrefix("on") || attribute.contains(":") {
                others.append(attribute)
            }
        }
    }

    private struct SplitMix {
        var state: UInt64
        init(seed: UInt64) { state = seed }
        mutating func below(_ count: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((bits ^ (bits >> 31)) % UInt64(count))
        }
    }

    // MARK: the frame

    @Test func theFrameHoldsThePageWhatEverItSays() {
        let framed = PagePolicy.framed("<p>\"\u{301} onload=\"a\" &quot;</p>", title: "a\"b")
        let page = "srcdoc=\"<p>&quot;\u{301} onload=&quot;a&quot; &amp;quot;</p>\">"
        #expect(framed.utf8.count { $0 == UInt8(ascii: "\"") } % 2 == 0)
        #expect(framed.contains(page))
        #expect(framed.contains("<iframe sandbox=\"\" title=\"a&quot;b\""))
        #expect(framed.contains("default-src 'none'"))
    }
}
