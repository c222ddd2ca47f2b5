import CompilerPlugin

/// Expands `#Preview` to nothing: there is no canvas to show a preview on. The compiler has checked its body
/// by then.
@main struct PreviewMacros {
    static func main() { CompilerPlugin.run { _ in Expansion("") } }
}
