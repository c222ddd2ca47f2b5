import Foundation

extension Text {
    /// A part of a text with one look.
    struct Run {
        var text: String
        var modifiers: [Modifier]
        var link: String?
        var image: Image?
    }

    /// The parts of the text in `environment`. Outer modifiers come first.
    func runs(in environment: EnvironmentValues, _ outer: [Modifier] = []) -> [Run] {
        let all = outer + modifiers.reversed()
        switch content {
        case .verbatim(let string): return [Run(text: string, modifiers: all)]
        case .key(let key, let table, let bundlePath):
            return key.pieces(
                table: table, bundlePath: bundlePath, locale: environment.locale
            ).flatMap { piece -> [Run] in
                switch piece {
                case .literal(let literal): Self.runs(markdown: literal, all)
                case .argument(.string(let string)): [Run(text: string, modifiers: all)]
                case .argument(.text(let text)): text.runs(in: environment, all)
                }
            }
        case .date(let date, let style):
            return [Run(text: TextDates.text(date, style, environment), modifiers: all)]
        case .dates(let range): return [Run(text: TextDates.text(range, environment), modifiers: all)]
        case .timer(let range, let pause, let countsDown, let showsHours):
            let now = min(max(pause ?? Date(), range.lowerBound), range.upperBound)
            let seconds =
                countsDown ? range.upperBound.timeIntervalSince(now) : now.timeIntervalSince(range.lowerBound)
            return [Run(text: TextDates.clock(seconds, showsHours: showsHours), modifiers: all)]
        case .image(let image): return [Run(text: "", modifiers: all, image: image)]
        case .attributed(let string): return AttributedText.runs(of: string, all)
        case .joined(let one, let other):
            return one.runs(in: environment, all) + other.runs(in: environment, all)
        }
    }

    private static func runs(markdown: String, _ modifiers: [Modifier]) -> [Run] {
        Markdown.runs(markdown).map { run in
            var all = modifiers
            if run.isBold { all.append(.weight(.bold)) }
            if run.isItalic { all.append(.italic(true)) }
            if run.isCode { all.append(.monospaced(true)) }
            if run.isStruck { all.append(.strikethrough(true, LineStyle())) }
            return Run(text: run.text, modifiers: all, link: run.link)
        }
    }

    /// The characters without looks.
    package func plain(in environment: EnvironmentValues) -> String {
        if let label { return label }
        return runs(in: environment).map { $0.image?.words ?? $0.text }.joined()
    }
}

/// The look of a text, from its environment and its own modifiers.
struct TextLook {
    var font: Font
    var hasFont = false
    var decorations: [String] = []
    var decorationColor: String?
    var decorationStyle: String?
    var rest = Style()

    /// The look of `modifiers`. Later ones take precedence.
    @MainActor init(_ modifiers: [Text.Modifier], in environment: EnvironmentValues) {
        font = environment.font ?? .body
        hasFont = environment.font != nil
        for case .font(let own?) in modifiers { (font, hasFont) = (own, true) }
        for modifier in modifiers { apply(modifier, environment) }
    }

    @MainActor private mutating func apply(_ modifier: Text.Modifier, _ environment: EnvironmentValues) {
        switch modifier {
        case .font: break
        case .weight(let weight): if let weight { (font.weight, hasFont) = (weight, true) }
        case .italic(let isItalic): (font.isItalic, hasFont) = (isItalic, true)
        case .design(let design): (font.design, hasFont) = (design, true)
        case .monospaced(let isActive): if isActive { (font.design, hasFont) = (.monospaced, true) }
        case .equalDigits: (font.hasEqualDigits, hasFont) = (true, true)
        case .underline(let isActive, let line): decorate("underline", isActive, line, environment)
        case .strikethrough(let isActive, let line): decorate("line-through", isActive, line, environment)
        case .kerning(let points): rest["letter-spacing"] = CSS.points(points)
        case .baselineOffset(let points): rest["vertical-align"] = CSS.points(points)
        case .ink(let ink): rest = rest.merging(ink.style.paint(in: environment).ink(in: environment))
        }
    }

    @MainActor private mutating func decorate(
        _ name: String, _ isActive: Bool, _ line: Text.LineStyle, _ environment: EnvironmentValues
    ) {
        decorations.removeAll { $0 == name }
        guard isActive else { return }
        decorations.append(name)
        decorationColor = line.color?.resolved(in: environment).css
        decorationStyle = line.pattern == .solid ? nil : line.pattern.css
    }

    func style(scale: Double) -> Style {
        var style = hasFont ? font.style(scale: scale) : Style()
        if !hasFont && scale != 1 { style["font-size"] = CSS.rem(font.size * scale) }
        style = style.merging(rest)
        if !decorations.isEmpty { style["text-decoration-line"] = decorations.joined(separator: " ") }
        if let decorationColor { style["text-decoration-color"] = decorationColor }
        if let decorationStyle { style["text-decoration-style"] = decorationStyle }
        return style
    }
}

extension Text: View, PrimitiveView {
    public typealias Body = Never
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let environment = context.environment
        let scale = environment.dynamicTypeSize.scale
        let runs = runs(in: environment, environment.textModifiers)
        let plain = Self.cased(runs.map { $0.image?.words ?? $0.text }.joined(), environment)
        var node = RenderNode("p")
        if context.isInsideControl { node.tag = "span" }
        node[attribute: "class"] = "t"
        let common = runs.first?.modifiers ?? []
        let isUniform = runs.allSatisfy { $0.modifiers == common }
        let look = TextLook(isUniform ? common : environment.textModifiers, in: environment)
        node.style = block(look, environment, scale: scale)
        node.children = runs.flatMap { run in
            Self.nodes(of: run, isPlain: isUniform, context)
        }
        node.reading = .text(label ?? plain)
        if let label { node[attribute: "aria-label"] = label }
        if environment.redactionReasons.contains(.placeholder) { node = node.redacted() }
        node.layout.width = look.font.width(of: plain, scale: scale)
        node.layout.height = look.font.size * scale * 1.3
        return [node]
    }

    @MainActor private func block(_ look: TextLook, _ environment: EnvironmentValues, scale: Double) -> Style
    {
        var style = look.style(scale: scale)
        if style["color"] == nil, let paint = environment.foregroundStyles.first {
            style = paint.ink(in: environment).merging(style)
        }
        switch environment.multilineTextAlignment {
        case .leading: style["text-align"] = "start"
        case .center: style["text-align"] = "center"
        case .trailing: style["text-align"] = "end"
        }
        if environment.lineSpacing > 0 {
            style["line-height"] = "calc(1.25em + \(CSS.points(environment.lineSpacing)))"
        }
        guard let limit = environment.lineLimit else { return style }
        style["overflow"] = "hidden"
        if limit == 1 {
            style["white-space"] = "nowrap"
            style["text-overflow"] = "ellipsis"
        } else {
            style["display"] = "-webkit-box"
            style["-webkit-box-orient"] = "vertical"
            style["-webkit-line-clamp"] = "\(max(limit, 1))"
        }
        return style
    }

    @MainActor private static func nodes(of run: Run, isPlain: Bool, _ context: RenderContext) -> [RenderNode]
    {
        let environment = context.environment
        var node: RenderNode
        if let image = run.image {
            var inner = context
            inner.environment.font = TextLook(run.modifiers, in: environment).font
            node = image.inline(in: inner)
        } else {
            node = RenderNode(text: cased(run.text, environment))
        }
        if let link = run.link, let target = SafeLink.target(link), !context.isInsideControl {
            var anchor = RenderNode("a", style: ["color": "light-dark(#0068da,#2997ff)"], children: [node])
            anchor[attribute: "href"] = target
            anchor[attribute: "rel"] = "noreferrer"
            node = anchor
        }
        guard !isPlain else { return [node] }
        let look = TextLook(run.modifiers, in: environment)
        return [
            RenderNode("span", style: look.style(scale: environment.dynamicTypeSize.scale), children: [node])
        ]
    }

    private static func cased(_ text: String, _ environment: EnvironmentValues) -> String {
        switch environment.textCase {
        case .uppercase: text.uppercased(with: environment.locale)
        case .lowercase: text.lowercased(with: environment.locale)
        case nil: text
        }
    }
}

extension RenderNode {
    /// The node with gray bars instead of its text.
    func redacted() -> RenderNode {
        var node = self
        node.style["color"] = "transparent"
        node.style["background"] = "light-dark(rgba(120,120,128,.2),rgba(120,120,128,.36))"
        node.style["border-radius"] = "4px"
        node[attribute: "aria-hidden"] = "true"
        node.children = [RenderNode(text: String(repeating: "\u{2007}", count: 8))]
        node.reading = .silent
        return node
    }
}

/// Links that may be followed from a page.
enum SafeLink {
    /// `target` if it is a web page, an e-mail address or a telephone number. Nil for anything that could
    /// execute code.
    static func target(_ target: String) -> String? {
        guard let scheme = URL(string: target)?.scheme?.lowercased() else { return nil }
        return ["http", "https", "mailto", "tel"].contains(scheme) ? target : nil
    }
}
