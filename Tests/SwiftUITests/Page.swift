import Foundation
import FoundationXML
import ReportCore
import SwiftUI
import Testing

/// A page, for assertions.
struct Page {
    let html: String
    let text: String
    /// Names and attributes of all elements in their order.
    let elements: [Element]

    struct Element {
        let name: String
        let attributes: [String: String]
        let depth: Int
    }

    @MainActor init<V: View>(_ view: V) throws {
        try self.init(HTMLRenderer.page(title: "Test", view))
    }

    init(_ rendered: RenderedView) throws {
        html = rendered.html
        text = rendered.text
        let reader = Reader()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = reader
        guard parser.parse() else {
            throw Malformed(line: parser.lineNumber, error: "\(String(describing: parser.parserError))")
        }
        elements = reader.elements
        try Self.passes(html)
    }

    /// Everything that views are drawn as may be in a page of a report, but for links, which lead elsewhere.
    private static func passes(_ html: String) throws {
        let leftOut = try PageFilter.page(html).leftOut
        let unexpected = leftOut.filter { !$0.hasPrefix("attribute href") && !$0.hasPrefix("attribute rel") }
        guard unexpected.isEmpty else { throw LeftOut(names: unexpected) }
    }

    struct LeftOut: Error { let names: [String] }

    struct Malformed: Error {
        let line: Int
        let error: String
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The declarations of an element: those of its classes in the page's style sheet.
    func css(of element: Element) -> String {
        let names = element.attributes["class", default: ""].split(separator: " ")
        return names.compactMap { name in
            html.range(of: ".\(name){").map { html[$0.upperBound...].prefix { $0 != "}" } }
        }.joined(separator: ";")
    }

    /// All declarations of the page's elements, without the rules that every page begins with.
    var css: String { elements.map(css(of:)).joined(separator: "\n") }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        private var depth = 0
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            elements.append(Element(name: name, attributes: attributes, depth: depth))
            depth += 1
        }
        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) { depth -= 1 }
    }
}
