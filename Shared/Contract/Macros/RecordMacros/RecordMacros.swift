import CompilerPlugin
import RecordExpansion

/// The compiler plugin for `@Record`, `@Field`, `@Method` and `@Event`.
@main struct RecordMacros {
    static func main() {
        CompilerPlugin.run { use in
            switch use.type {
            case "RecordMacro": RecordExpansion.expand(use.declaration, attribute: use.attribute)
            case "MethodMacro": MethodExpansion.expand(use.declaration, attribute: use.attribute)
            case "EventMacro": MethodExpansion.expandEvent(use.declaration, attribute: use.attribute)
            // `@Field` has no expansion of its own: the expansion of `@Record` reads it.
            default: Expansion("")
            }
        }
    }
}
