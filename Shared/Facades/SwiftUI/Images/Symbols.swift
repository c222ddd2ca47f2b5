import Foundation
import UIKit

/// Icons under the names of SF Symbols, in the colour of the text around them.
enum Symbols {
    static func node(_ name: String) -> RenderNode {
        SystemSymbol.noteIfUnknown(name)
        // UIKit draws in one colour; a page writes the colour of the place in its stead.
        let stand = RGBA(bytes: 1, 2, 3)
        let elements = SystemSymbol.elements(name, color: stand)
            .replacingOccurrences(of: stand.paint.color, with: "currentColor")
        var svg = RenderNode("svg", children: [RenderNode(markup: elements)])
        svg[attribute: "viewBox"] = "0 0 24 24"
        return svg
    }
}
