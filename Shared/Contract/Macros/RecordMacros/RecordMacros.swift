import CompilerPlugin
import RecordExpansion

/// The compiler's plugin for `@Record` and what belongs to it.
@main struct RecordMacros {
    static func main() {
        CompilerPlugin.run { use in
            switch use.type {
            case "RecordMacro": RecordExpansion.expand(use.declaration, attribute: use.attribute)
            case "MethodMacro": MethodExpansion.expand(use.declaration, attribute: use.attribute)
            case "EventMacro": MethodExpansion.expandEvent(use.declaration, attribute: use.attribute)
            // It is read where the record is expanded.
            default: Expansion("")
            }
        }
    }
}
