import Foundation

/// A rendered view.
package struct RenderedView: Sendable, Equatable {
    /// A complete HTML document with embedded styles, without scripts and external resources.
    package let html: String
    /// The same content as plain text lines.
    package let text: String
}

/// Renders views to HTML. Must be called on the main thread.
@MainActor package enum HTMLRenderer {
    /// Renders `view`, runs its actions for appearance, and renders it again while these change its state.
    /// - Parameters:
    ///   - title: the document title; also the first heading if the view has no navigation title.
    ///   - width: the width in points offered to the view. By default that of an iPhone.
    ///   - environment: the initial environment values.
    /// - Throws: `RenderError` if the view does not end.
    package static func page<V: View>(
        title: String, width: Double = 390, environment: EnvironmentValues = EnvironmentValues(),
        _ view: V
    ) throws -> RenderedView {
        let pass = RenderPass(prefix: prefix(of: title))
        let nodes = try settle(view, width, environment, pass)
        return document(title: title, nodes: nodes, width: width, environment: environment)
    }

    /// As `page`, and also runs the view's tasks concurrently until they end or `deadline` has passed.
    package static func settledPage<V: View>(
        title: String, width: Double = 390, environment: EnvironmentValues = EnvironmentValues(),
        deadline: Duration = .seconds(5), _ view: V
    ) async throws -> RenderedView {
        let pass = RenderPass(prefix: prefix(of: title))
        var nodes = try settle(view, width, environment, pass)
        for _ in 0..<RenderLimits.roundsMax {
            let tasks = pass.tasks
            if tasks.isEmpty { break }
            await run(tasks, until: deadline)
            nodes = try settle(view, width, environment, pass)
        }
        return document(title: title, nodes: nodes, width: width, environment: environment)
    }

    private static func settle<V: View>(
        _ view: V, _ width: Double, _ environment: EnvironmentValues, _ pass: RenderPass
    ) throws -> [RenderNode] {
        var nodes: [RenderNode] = []
        for _ in 0..<RenderLimits.roundsMax {
            pass.begin()
            var context = RenderContext(pass: pass)
            context.environment = environment
            context.proposal.width = width
            nodes = context.nodes(of: view, at: "root")
            if let failure = pass.failure { throw failure }
            let before = RenderSignal.count
            for action in pass.actions { action() }
            if RenderSignal.count == before { break }
        }
        return nodes
    }

    private static func run(_ tasks: [@MainActor () async -> Void], until deadline: Duration) async {
        let running = tasks.map { task in Task { @MainActor in await task() } }
        let watch = Task {
            // Cancellation is the only error; it ends the wait early.
            try? await Task.sleep(for: deadline)
            for task in running { task.cancel() }
        }
        for task in running { await task.value }
        watch.cancel()
    }

    private static func prefix(of title: String) -> String {
        "v" + String(HTMLWriter.hash(title) % 1_679_616, radix: 36)
    }

    private static func document(
        title: String, nodes: [RenderNode], width: Double, environment: EnvironmentValues
    ) -> RenderedView {
        var root = RenderNode.box(RenderNode.one(of: nodes), Style())
        root.tag = "main"
        root.style["max-width"] = CSS.points(width)
        if root.layout.growsHeight { root.style["min-height"] = "min(100dvh,50rem)" }
        var writer = HTMLWriter()
        writer.write(root)
        // The whole page has the scheme that its root view requests.
        let scheme = nodes.count == 1 ? nodes[0].style["color-scheme"] : nil
        let style = scheme.map { "\n:root{color-scheme:\($0)}" } ?? ""
        let language = environment.locale.identifier.replacingOccurrences(of: "_", with: "-")
        let html = """
            <!DOCTYPE html>
            <html lang="\(HTMLWriter.escaped(language.isEmpty ? "en" : language))">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>\(HTMLWriter.escaped(title))</title>
            <style>
            \(BaseStyle.css)
            \(writer.styleSheet)\(style)
            </style>
            </head>
            <body>
            \(writer.html)
            </body>
            </html>

            """
        return RenderedView(html: html, text: PlainText.of(nodes))
    }
}
