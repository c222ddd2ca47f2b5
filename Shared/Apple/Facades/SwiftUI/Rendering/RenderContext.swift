import Foundation

/// A view that this module draws itself.
package protocol PrimitiveView {
    /// What is drawn: usually one node, none for nothing, several where the view only groups others.
    @MainActor func nodes(in context: RenderContext) -> [RenderNode]
}

/// Where a view is drawn: its environment, the place it is offered, and the page that it belongs to.
package struct RenderContext {
    /// The values that views read with `@Environment`.
    package var environment = EnvironmentValues()
    /// The width and height in points that the view is offered, where they are known.
    package var proposal = Proposal()
    /// The direction of the stack around the view.
    package var axis: Axis?
    /// The page being drawn.
    package let pass: RenderPass
    /// Gathers what views below say with `preference(key:value:)`.
    package var preferences: PreferenceCollector
    /// The place of the view in the tree: the identity of its state.
    package var path = ""
    /// How many views this one stands in.
    package var depth = 0
    /// The size that a `GeometryReader` around the view told its content.
    package var geometry: CGSize?
    /// A drawing that only learns how large things are, and is thrown away.
    package var isMeasuring = false
    /// The content of a row of a list.
    package var isRow = false
    /// Inside a `Button`, `Link` or other element in which HTML allows no second one.
    package var isInsideControl = false

    package struct Proposal {
        package var width: Double?
        package var height: Double?
        package init(width: Double? = nil, height: Double? = nil) {
            self.width = width
            self.height = height
        }
    }

    @MainActor package init(pass: RenderPass) {
        self.pass = pass
        preferences = PreferenceCollector()
    }

    /// The nodes of `view`, which stands at `step` inside the view drawn now.
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

    /// One node that holds those of `view`.
    @MainActor package func node<V: View>(of view: V, at step: String) -> RenderNode {
        RenderNode.one(of: nodes(of: view, at: step))
    }

    /// The same context one view deeper.
    package func deeper(at step: String) -> RenderContext {
        var inner = self
        inner.depth += 1
        inner.path += "/" + step
        return inner
    }

    /// The same context for a drawing that is thrown away.
    @MainActor package var measuring: RenderContext {
        var inner = self
        inner.isMeasuring = true
        inner.preferences = PreferenceCollector()
        return inner
    }

    /// The same context with another environment.
    package func with<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value)
        -> RenderContext
    {
        var inner = self
        inner.environment[keyPath: path] = value
        return inner
    }

    /// The same context offering another place; nil leaves a side as it is.
    package func offering(width: Double?, height: Double?) -> RenderContext {
        var inner = self
        inner.proposal = Proposal(width: width, height: height)
        inner.axis = nil
        return inner
    }

    /// A width: in pixels, or as a share of the `GeometryReader` whose size it was calculated from.
    package func width(_ value: CGFloat) -> String { length(value, of: geometry?.width) }

    private func length(_ value: CGFloat, of whole: CGFloat?) -> String {
        guard let whole, whole > 0, value.isFinite, (value * 2).rounded() != value * 2 else {
            return CSS.points(value)
        }
        return CSS.number(value / whole * 100) + "cqw"
    }
}

/// What one page may hold, so that no view can fill the memory or the stack.
package enum RenderLimits {
    /// Views inside each other. Deeper is taken for a `body` that contains itself.
    package static let depthMax = 600
    /// Views on one page.
    package static let viewsMax = 200_000
    /// Drawings of one page: each time an action changed a state that the page shows.
    package static let roundsMax = 6
}

/// Why a page could not be drawn.
package enum RenderError: Error, Equatable, CustomStringConvertible {
    /// Views stand more than 600 deep in each other.
    case tooDeep(typeName: String)
    /// The page consists of more than 200,000 views.
    case tooMany
    package var description: String {
        switch self {
        case .tooDeep(let typeName):
            "The body of \(typeName) stands more than \(RenderLimits.depthMax) views deep, probably inside itself. "
                + "Let it end: a view may contain its own type only a bounded number of times."
        case .tooMany:
            "The page consists of more than \(RenderLimits.viewsMax) views. Show less at once."
        }
    }
}
