import Foundation
import UIKit

extension Image: View, PrimitiveView {
    public typealias Body = Never
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        switch source {
        case .symbol(let name):
            [symbol(context.environment.symbolVariants.name(name), context, isInline: false)]
        case .named(let name, let path): [drawn(NamedImages.image(name, bundlePath: path), name, context)]
        case .picture(let picture): [drawn(picture.image, "", context)]
        }
    }

    @MainActor private func drawn(_ image: UIImage?, _ name: String, _ context: RenderContext) -> RenderNode {
        guard let image else { return symbol(name, context, isInline: false) }
        if case .symbol(let name) = image.content, image.tint == nil {
            return symbol(name, context, isInline: false)
        }
        let isTemplate = isTemplate ?? (image.renderingMode == .alwaysTemplate && image.tint == nil)
        return isTemplate ? tinted(image, context) : picture(image, context)
    }

    /// The image as part of a line of text.
    @MainActor func inline(in context: RenderContext) -> RenderNode {
        guard case .symbol(let name) = source else {
            var node = RenderNode.one(of: nodes(in: context))
            node.style["display"] = "inline-block"
            node.style["vertical-align"] = "-0.15em"
            return node
        }
        var node = symbol(name, context, isInline: true)
        node.style["display"] = "inline-block"
        node.style["vertical-align"] = "-0.2em"
        return node
    }

    @MainActor private func symbol(_ name: String, _ context: RenderContext, isInline: Bool) -> RenderNode {
        let environment = context.environment
        var node = Symbols.node(name, context.pass)
        let words = isDecorative ? nil : label
        node = node.labelled(words, orHidden: isInline || isDecorative || label == nil)
        node.reading = words.map(Reading.text) ?? .silent
        let font = environment.font ?? .body
        let factor = [Scale.small: 0.95, .medium: 1.2, .large: 1.5][environment.imageScale] ?? 1.2
        let size = font.size * factor * environment.dynamicTypeSize.scale
        if (font.weight?.css ?? 400) >= 600 { node.style["stroke-width"] = "2.3" }
        if let paint = environment.foregroundStyles.first, !isInline {
            node.style["color"] = paint.color(in: environment).css
        }
        guard isResizable && !isInline else {
            node.style["width"] = isInline ? "1.2em" : CSS.rem(size)
            node.style["height"] = isInline ? "1.2em" : CSS.rem(size)
            node.style["flex"] = "none"
            node.layout.width = size
            node.layout.height = size
            node.layout.isRigid = true
            return node
        }
        return node.resizable()
    }

    @MainActor private func picture(_ image: UIImage, _ context: RenderContext) -> RenderNode {
        let (light, dark) = Picture(image).sources
        var node = RenderNode("img")
        node[attribute: "src"] = light
        node[attribute: "alt"] = words
        node.reading = words.isEmpty ? .silent : .text(words)
        if light != dark {
            var other = RenderNode("source").with("srcset", dark)
            other[attribute: "media"] = "(prefers-color-scheme: dark)"
            node = RenderNode("picture", style: ["display": "contents"], children: [other, node])
        }
        guard !isResizable else { return node.resizable() }
        node.style["width"] = CSS.points(image.size.width)
        node.style["height"] = CSS.points(image.size.height)
        node.layout.width = Double(image.size.width)
        node.layout.height = Double(image.size.height)
        return node
    }

    /// The text colour, masked by the opaque parts of the image.
    @MainActor private static func seen(through source: String, _ pass: RenderPass) -> RenderNode {
        let id = pass.name("i")
        func whole(_ node: RenderNode) -> RenderNode { node.with("width", "100%").with("height", "100%") }
        var mask = RenderNode("mask", style: ["mask-type": "alpha"], children: [
            whole(RenderNode("image")).with("href", source)
        ])
        mask[attribute: "id"] = id
        let ink = whole(RenderNode("rect")).with("fill", "currentColor").with("mask", "url(#\(id))")
        return RenderNode("svg", children: [mask, ink])
    }

    @MainActor private func tinted(_ image: UIImage, _ context: RenderContext) -> RenderNode {
        let color = context.environment.foregroundStyles.first?.color(in: context.environment) ?? Color.label
        var node = Self.seen(through: Picture(image).sources.light, context.pass)
        node.style["color"] = color.css
        node = node.labelled(words, orHidden: words.isEmpty)
        guard !isResizable else { return node.resizable() }
        node.style["width"] = CSS.points(image.size.width)
        node.style["height"] = CSS.points(image.size.height)
        return node
    }
}

extension RenderNode {
    /// A drawing with a text for assistive technology, or hidden from it.
    func labelled(_ words: String?, orHidden isHidden: Bool) -> RenderNode {
        var node = self
        if let words, !words.isEmpty {
            node[attribute: "role"] = "img"
            node[attribute: "aria-label"] = words
            node.reading = .text(words)
        } else if isHidden {
            node[attribute: "aria-hidden"] = "true"
            node.reading = .silent
        }
        return node
    }

    /// A drawing that fills its frame and keeps its proportions.
    func resizable() -> RenderNode {
        var node = self
        node.style["width"] = "100%"
        node.style["height"] = "100%"
        node.style["min-height"] = "0"
        node.style["object-fit"] = "fill"
        node.layout.growsWidth = true
        node.layout.growsHeight = true
        return node
    }
}
