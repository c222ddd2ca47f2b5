import CGtk4
import Loop

/// The colours of covers, as rules of GTK. Covers of the same colours share them: each new set of rules makes
/// GTK style every window again.
@LoopActor enum CoverColours {
    private struct Rules {
        var style: String
        var provider: UnsafeMutablePointer<GtkCssProvider>
        var users = 1
    }
    private static var sets: [String: Rules] = [:]
    private static var count = 0

    /// The style class with the colours of a face. `leave` must be called with what this returned.
    static func join(_ face: CoverFace, on display: OpaquePointer?) -> CoverColours.Set {
        let rules = StyleSheet.colours(of: face, style: "")
        if let known = sets[rules] {
            sets[rules]?.users += 1
            return Set(rules: rules, style: known.style)
        }
        count += 1
        let style = "colours-\(count)"
        guard let provider = gtk_css_provider_new() else { preconditionFailure("GTK makes a provider") }
        gtk_css_provider_load_from_data(provider, StyleSheet.colours(of: face, style: style), -1)
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), CoverWindow.priority)
        sets[rules] = Rules(style: style, provider: provider)
        return Set(rules: rules, style: style)
    }

    static func leave(_ set: CoverColours.Set, on display: OpaquePointer?) {
        guard let known = sets[set.rules] else { return }
        guard known.users == 1 else {
            sets[set.rules]?.users -= 1
            return
        }
        sets[set.rules] = nil
        gtk_style_context_remove_provider_for_display(display, OpaquePointer(known.provider))
        g_object_unref(known.provider)
    }

    /// What a cover has joined.
    struct Set {
        fileprivate var rules: String
        var style: String
    }
}
