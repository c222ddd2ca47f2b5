internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// Places views at points of a drawing.
@MainActor enum ChartNotes {
    /// An annotation next to its mark, moved inside the drawing.
    static func node(
        _ note: MarkStyle.Note, _ frame: CGRect, in size: CGSize, _ context: RenderContext, _ step: String
    ) -> RenderNode? {
        let view = note.content(AnnotationContext(targetSize: frame.size))
        let nodes = context.offering(width: 160, height: nil).nodes(of: view, at: step)
        guard !nodes.isEmpty else { return nil }
        let words = PlainText.of(nodes).split(separator: "\n").map(String.init)
        let guess = CGSize(
            width: min((words.map { TextMetrics.width($0, size: 13) }.max() ?? 24) + 12, 160),
            height: Double(max(words.count, 1)) * 18)
        let box = CGSize(width: max(guess.width, 40), height: max(guess.height, 24) + 16)
        let space = note.spacing ?? 4
        var center = CGPoint(x: frame.midX, y: frame.midY)
        var align = "center center"
        switch note.position.kind {
        case .overlay: break
        case .automatic, .top, .topLeading, .topTrailing:
            center.y = frame.minY - space - box.height / 2
            align = "end center"
        case .bottom, .bottomLeading, .bottomTrailing:
            center.y = frame.maxY + space + box.height / 2
            align = "start center"
        case .leading:
            center.x = frame.minX - space - box.width / 2
            align = "center end"
        case .trailing:
            center.x = frame.maxX + space + box.width / 2
            align = "center start"
        }
        switch note.position.kind {
        case .topLeading, .bottomLeading: center.x = frame.minX + guess.width / 2
        case .topTrailing, .bottomTrailing: center.x = frame.maxX - guess.width / 2
        default: break
        }
        if frame.width > size.width * 0.5, note.alignment.horizontal == .leading {
            center.x = frame.minX + guess.width / 2
        } else if frame.width > size.width * 0.5, note.alignment.horizontal == .trailing {
            center.x = frame.maxX - guess.width / 2
        }
        if note.overflow.x.kind != .disabled {
            center.x = min(
                max(center.x, guess.width / 2), max(size.width - guess.width / 2, guess.width / 2))
        }
        if note.overflow.y.kind != .disabled {
            let top = align.hasPrefix("end") ? box.height - guess.height - box.height / 2 : -box.height / 2
            center.y = max(center.y, -top - box.height / 2 + guess.height - box.height / 2)
        }
        return Self.view(nodes, around: center, align: align, size: box)
    }

    /// Nodes in a box around a point.
    static func view(
        _ nodes: [RenderNode], around center: CGPoint, align: String, size: CGSize
    ) -> RenderNode {
        var box = RenderNode("foreignObject", style: ["overflow": "visible"])
        box[attribute: "x"] = CSS.number(center.x - size.width / 2)
        box[attribute: "y"] = CSS.number(center.y - size.height / 2)
        box[attribute: "width"] = CSS.number(size.width)
        box[attribute: "height"] = CSS.number(size.height)
        let style: Style = [
            "display": "grid", "width": "100%", "height": "100%", "place-items": align,
            "grid-template": "100%/100%", "white-space": "nowrap", "text-align": "center",
        ]
        box.children = [RenderNode("div", style: style, children: [RenderNode.one(of: nodes)])]
        return box
    }
}
