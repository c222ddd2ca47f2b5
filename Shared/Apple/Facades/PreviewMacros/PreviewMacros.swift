import CompilerPlugin

/// The one macro of Apple's that these facades need: `#Preview` becomes nothing, since there is no canvas to
/// show it on, and what stands in it has been compiled by then.
@main struct PreviewMacros {
    static func main() { CompilerPlugin.run { _ in Expansion("") } }
}
