import Foundation

/// A view that this module renders itself.
package protocol PrimitiveView {
    /// The rendered nodes: usually one, none for nothing, several if the view only groups others.
    @MainActor func nodes(in context: RenderContext) -> [RenderNode]
}

/// Where a view is rendered: its environment, the offered size and the page.
package struct RenderContext {
    /// The values that views read with `@Environment`.
    package var environment = EnvironmentValues()
    /// The offered width and height in points, as far as they are known.
    package var proposal = Proposal()
    /// The direction of the stack around the view.
    package var axis: Axis?
    /// The page that is rendered.
    package let pass: RenderPass
    /// Collects the preferences of the views below.
    package var preferences: PreferenceCollector
    /// The position of the view in the tree, which identifies its state.
    package var path = ""
    /// The number of views around this one.
    package var depth = 0
    /// The size that a surrounding `GeometryReader` gave its content.
    package var geometry: CGSize?
    /// Whether the rendering only measures and is discarded.
    package var isMeasuring = false
    /// Whether the view is the content of a list row.
    package var isRow = false
    /// Whether the view is inside a `Button`, `Link` or other element that HTML does not allow to be nested.
    package var isInsideControl = false

    /// An offered size in points.
    package struct Proposal {
        /// Nil if unknown.
        package var width: Double?
        /// Nil if unknown.
        package var height: Double?
        /// Both are unknown by default.
        package init(width: Double? = nil, height: Double? = nil) {
            self.width = width
            self.height = height
        }
    }

    /// The context of a root view.
    @MainActor package init(pass: RenderPass) {
        self.pass = pass
        preferences = PreferenceCollector()
    }

    /// The nodes of `view`, at the position `step` inside the present view.
    @MainActor package func nodes<V: View>(of view: V, at step: String) -> [RenderNode] {
        var inner = deeper(at: step)
        guard inner.depth <= RenderLimits.depthMax else {
            pass.fail(.tooDeep(typeName: String(describing: V.self)))
            return []
        }
        guard pass.count() else { return [] }
        if let primitive = view as? any PrimitiveView { return primitive.nodes(in: inner) }
        inner.path += "/\(V.self)"
        guard inner.install(propertiesOf: view) else { return [] }
        return inner.nodes(of: view.body, at: "b")
    }

    /// The nodes of `view` combined to one.
    @MainActor package func node<V: View>(of view: V, at step: String) -> RenderNode {
        RenderNode.one(of: nodes(of: view, at: step))
    }

    /// The same context, one view deeper.
    package func deeper(at step: String) -> RenderContext {
        var inner = self
        inner.depth += 1
        inner.path += "/" + step
        return inner
    }

    /// The same context for a rendering that is discarded.
    @MainActor package var measuring: RenderContext {
        var inner = self
        inner.isMeasuring = true
        inner.preferences = PreferenceCollector()
        return inner
    }

    /// The same context with a changed environment value.
    package func with<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value)
        -> RenderContext
    {
        var inner = self
        inner.environment[keyPath: path] = value
        return inner
    }

    /// The same context with another offered size. Nil means unknown.
    package func offering(width: Double?, height: Double?) -> RenderContext {
        var inner = self
        inner.proposal = Proposal(width: width, height: height)
        inner.axis = nil
        return inner
    }

    /// A width in pixels, or as a fraction of the `GeometryReader` from whose size it was computed.
    package func width(_ value: CGFloat) -> String { length(value, of: geometry?.width) }

    private func length(_ value: CGFloat, of whole: CGFloat?) -> String {
        guard let whole, whole > 0, value.isFinite, (value * 2).rounded() != value * 2 else {
            return CSS.points(value)
        }
        return CSS.number(value / whole * 100) + "cqw"
    }
}

/// Limits of a page, so that no view can exhaust memory or stack.
package enum RenderLimits {
    /// Maximum nesting of views. A deeper one is regarded as a `body` that contains itself.
    package static let depthMax = 600
    /// Maximum number of views on a page.
    package static let viewsMax = 200_000
    /// Maximum number of renderings of a page: one more each time an action changed its state.
    package static let roundsMax = 6
}

/// Why a page could not be rendered.
package enum RenderError: Error, Equatable, CustomStringConvertible {
    /// Views are nested more than 600 deep.
    case tooDeep(typeName: String)
    /// The page has more than 200,000 views.
    case tooMany
    package var description: String {
        switch self {
        case .tooDeep(let typeName):
            "The body of \(typeName) is nested more than \(RenderLimits.depthMax) deep, probably in itself. "
                + "Let it end: a view may contain its own type only a bounded number of times."
        case .tooMany:
            "The page has more than \(RenderLimits.viewsMax) views. Show less at once."
        }
    }
}
