/// Icons of our own for the commonest names of SF Symbols, drawn on 24 × 24.
enum Symbols {
    static func node(_ name: String) -> RenderNode { unknown(name) }
    /// A neutral sign for a name without an icon.
    static func unknown(_ name: String) -> RenderNode {
        RenderNode("svg").with("viewBox", "0 0 24 24")
    }
}
