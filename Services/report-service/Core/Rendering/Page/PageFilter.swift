package import Contract
internal import ServiceKit

/// A page of a report program that contains only what a report may show.
package struct FilteredPage: Equatable {
    /// The complete document, generated from the parsed page.
    package var html: String
    /// Kinds of things that were removed, each once.
    package var leftOut: [String]
}

/// Parses a page that a program made, keeps what ``PageRules`` allows, and generates a new page from that.
///
/// The program is not trusted: it may send any bytes instead of the output of this project's SwiftUI.
/// Therefore none of its bytes are passed on. A page that is not well formed is refused; elements that are
/// well formed and not allowed are removed with their content, and reported.
package struct PageFilter {
    /// Depth of images nested in images.
    private static let imageDepthMax = 3
    /// Number of removed kinds that are listed.
    private static let namedMax = 8

    /// - Throws: `internalError` if the page is not well formed.
    package static func page(_ page: String) throws(ServiceError) -> FilteredPage {
        do throws(Markup.Refusal) {
            var filter = PageFilter()
            let parts = try Markup(parsing: page).parts
            let html = try filter.document(parts)
            return FilteredPage(html: html, leftOut: filter.summary)
        } catch {
            throw ServiceError(
                .internalError, "the page was refused at its byte \(error.offset): \(error.reason)",
                remedy: "Build the report extension with SwiftUI of this version; see docs/extensions.md.")
        }
    }

    private var styles = StyleSheet()
    private var leftOut: [String: Int] = [:]
    private var depth = 0

    private var summary: [String] {
        var all = leftOut
        for what in styles.leftOut { all[what, default: 0] += 1 }
        let names = all.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }
        guard names.count > Self.namedMax else { return names }
        return names.prefix(Self.namedMax) + ["\(names.count - Self.namedMax) others"]
    }

    // MARK: the document

    private mutating func document(_ parts: [Markup.Part]) throws(Markup.Refusal) -> String {
        var (title, sheets, language, bodyClass, content) = ("", [String](), "en", "", "")
        var path: [String] = []
        var index = parts.startIndex
        while index < parts.endIndex {
            switch parts[index] {
            case .begin(let name, let attributes):
                path.append(name)
                switch path {
                case ["html"]: language = names(attributes, "lang") ?? language
                case ["html", "head"], ["html", "head", "title"], ["html", "head", "style"]: break
                // Replaced by our own.
                case ["html", "head", "meta"]: break
                case ["html", "body"]:
                    bodyClass = names(attributes, "class") ?? ""
                    let end = try Self.end(of: index, in: parts)
                    content += try elements(parts[(index + 1)..<end], isSVG: false)
                    index = end - 1
                default:
                    guard path.first == "html" else {
                        throw Markup.Refusal(reason: "it does not begin with html", offset: 0)
                    }
                    leave("element \(name)")
                    path.removeLast()
                    index = try Self.end(of: index, in: parts)
                }
            case .text(let text):
                if path == ["html", "head", "title"] { title += text }
                if path == ["html", "head", "style"] { sheets.append(try styles.sheet(text)) }
            case .end: path.removeLast()
            }
            index += 1
        }
        return Self.document(title, sheets, language, bodyClass, content)
    }

    private static func document(
        _ title: String, _ sheets: [String], _ language: String, _ bodyClass: String, _ content: String
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(HTMLText.escaped(language))">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="\(PagePolicy.contentSecurity)"/>
        <meta name="referrer" content="no-referrer"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>\(HTMLText.escaped(title))</title>
        <style>
        \(sheets.joined(separator: "\n"))
        </style>
        </head>
        <body\(bodyClass.isEmpty ? "" : " class=\"\(HTMLText.escaped(bodyClass))\"")>\(content)</body>
        </html>

        """
    }

    /// Index of the end of the element that begins at `start`.
    private static func end(of start: Int, in parts: [Markup.Part]) throws(Markup.Refusal) -> Int {
        var depth = 0
        for index in start..<parts.endIndex {
            switch parts[index] {
            case .begin: depth += 1
            case .end: depth -= 1
            case .text: break
            }
            if depth == 0 { return index }
        }
        throw Markup.Refusal(reason: "an element does not end", offset: 0)
    }

    // MARK: elements

    /// An element whose content is filtered, and whether that is HTML or SVG.
    private struct Open {
        var name: String
        var isSVGInside: Bool
    }

    private mutating func elements(
        _ parts: ArraySlice<Markup.Part>, isSVG: Bool
    ) throws(Markup.Refusal) -> String {
        var written = ""
        var open: [Open] = []
        /// Depth inside a removed element, counting itself.
        var skipped = 0
        for part in parts {
            switch part {
            case .begin(let name, let attributes):
                let isInSVG = open.last?.isSVGInside ?? isSVG
                let isElementSVG = isInSVG || name == "svg"
                let isTextOnly = open.last?.name == "title"
                guard skipped == 0, !isTextOnly,
                    isElementSVG ? PageRules.svg.contains(name) : PageRules.html.contains(name)
                else {
                    if skipped == 0 { leave("element \(name)") }
                    skipped += 1
                    continue
                }
                written += "<" + name + (try self.attributes(attributes, of: name, isSVG: isElementSVG))
                written += Markup.void.contains(name) ? "/>" : ">"
                open.append(Open(name: name, isSVGInside: isElementSVG && name != "foreignObject"))
            case .text(let text):
                if skipped == 0 { written += HTMLText.escaped(text) }
            case .end(let name):
                if skipped > 0 {
                    skipped -= 1
                } else {
                    open.removeLast()
                    if !Markup.void.contains(name) { written += "</" + name + ">" }
                }
            }
        }
        return written
    }

    private mutating func attributes(
        _ attributes: [Markup.Attribute], of element: String, isSVG: Bool
    ) throws(Markup.Refusal) -> String {
        var written = ""
        for attribute in attributes {
            guard let check = PageRules.check(attribute.name, of: element, isSVG: isSVG),
                let value = try value(attribute, check)
            else {
                // The style's own properties were reported already.
                if attribute.name != "style" { leave("attribute \(attribute.name)") }
                continue
            }
            written += " \(attribute.name)=\"\(HTMLText.escaped(value))\""
        }
        return written
    }

    /// Nil if the attribute may not have this value.
    private mutating func value(
        _ attribute: Markup.Attribute, _ check: PageRules.Check
    ) throws(Markup.Refusal) -> String? {
        let value = attribute.value
        switch check {
        case .text: return value
        case .names: return Self.isNames(value) ? value : nil
        case .geometry: return Self.isGeometry(value) ? value : nil
        case .style:
            return attribute.name == "style" ? try styles.attribute(value) : StyleSheet.value(value)
        case .paint: return Self.isReference(value) ? value : StyleSheet.value(value)
        case .reference: return Self.isReference(value) ? value : nil
        case .one(let allowed): return allowed.contains(value) ? value : nil
        case .image: return try image(value)
        }
    }

    // MARK: images

    /// Generates the image again from its bytes; an SVG image is filtered like the page.
    private mutating func image(_ address: String) throws(Markup.Refusal) -> String? {
        for (type, beginning) in Self.imageTypes {
            let prefix = "data:image/\(type);base64,"
            guard address.hasPrefix(prefix), let bytes = Base64.bytes(String(address.dropFirst(prefix.count)))
            else { continue }
            if type == "svg+xml" {
                guard let drawing = try drawing(bytes) else { return nil }
                return prefix + Base64.text(Array(drawing.utf8))
            }
            return bytes.starts(with: beginning) ? prefix + Base64.text(bytes) : nil
        }
        return nil
    }

    private static let imageTypes: [(type: String, beginning: [UInt8])] = [
        ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpeg", [0xFF, 0xD8, 0xFF]),
        ("gif", Array("GIF8".utf8)), ("webp", Array("RIFF".utf8)), ("svg+xml", []),
    ]

    private mutating func drawing(_ bytes: [UInt8]) throws(Markup.Refusal) -> String? {
        guard depth < Self.imageDepthMax, let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        // An unreadable image is removed; the page around it stays.
        guard let parts = try? Markup(parsing: text, isDrawing: true).parts,
            case .begin("svg", let attributes) = parts.first,
            attributes.contains(where: { $0.name == "xmlns" })
        else { return nil }
        return try elements(parts[...], isSVG: true)
    }

    // MARK: values

    private mutating func leave(_ what: String) { leftOut[what, default: 0] += 1 }

    private func names(_ attributes: [Markup.Attribute], _ name: String) -> String? {
        attributes.first { $0.name == name }.flatMap { Self.isNames($0.value) ? $0.value : nil }
    }

    private static func isNames(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { PageRules.isNamePart($0) || $0 == UInt8(ascii: " ") }
    }

    private static func isGeometry(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            PageRules.isNamePart($0)
                || [
                    UInt8(ascii: " "), 0x0A, UInt8(ascii: ","), UInt8(ascii: "."),
                    UInt8(ascii: "+"), UInt8(ascii: "%"),
                ].contains($0)
        }
    }

    /// A reference into the same document.
    private static func isReference(_ text: String) -> Bool {
        guard text.hasPrefix("url(#"), text.hasSuffix(")") else { return false }
        let name = text.dropFirst(5).dropLast()
        return !name.isEmpty && name.utf8.allSatisfy(PageRules.isNamePart)
    }
}
