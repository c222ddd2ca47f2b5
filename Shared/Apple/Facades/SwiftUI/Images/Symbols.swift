import Foundation
import UIKit

/// Icons by SF Symbols names, in the surrounding text colour.
enum Symbols {
    @MainActor static func node(_ name: String, _ pass: RenderPass) -> RenderNode {
        SystemSymbol.noteIfUnknown(name)
        if name.contains("fill") { return cutOut(name, pass) }
        // UIKit renders in one colour; a page substitutes the foreground colour.
        let stand = RGBA(bytes: 1, 2, 3)
        let elements = SystemSymbol.elements(name, color: stand)
            .replacingOccurrences(of: stand.paint.color, with: "currentColor")
        var svg = RenderNode("svg", children: [RenderNode(markup: elements)])
        svg[attribute: "viewBox"] = "0 0 24 24"
        return svg
    }

    /// A filled icon whose inner lines are transparent.
    @MainActor private static func cutOut(_ name: String, _ pass: RenderPass) -> RenderNode {
        let id = pass.name("y")
        let seen = RenderNode(markup: SystemSymbol.elements(name, color: RGBA(1, 1, 1)))
        let mask = RenderNode("mask", children: [seen]).with("id", id).with("maskUnits", "userSpaceOnUse")
        var ink = RenderNode("rect").with("width", "24").with("height", "24").with("fill", "currentColor")
        ink[attribute: "mask"] = "url(#\(id))"
        var svg = RenderNode("svg", children: [mask.with("width", "24").with("height", "24"), ink])
        svg[attribute: "viewBox"] = "0 0 24 24"
        return svg
    }
}
