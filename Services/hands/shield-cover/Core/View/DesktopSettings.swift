import CGtk4
import Loop

/// The person's settings of the desktop that a cover follows, by GTK and, where it is installed, by the
/// desktop's own `color-scheme`.
@LoopActor final class DesktopSettings {
    private let settings: OpaquePointer
    private let scheme: UnsafeMutablePointer<GSettings>?
    private let forced: Appearance?
    /// Called after one of them changed.
    var onChange: (@LoopActor () -> Void)?

    /// - Parameter environment: GTK_THEME has precedence, as in GTK.
    init(environment: [String: String]) {
        guard let settings = gtk_settings_get_default() else {
            preconditionFailure("GTK has settings once its display is open")
        }
        self.settings = settings
        forced = environment["GTK_THEME"].flatMap { theme in
            theme.isEmpty ? nil : theme.hasSuffix(":dark") ? .dark : .light
        }
        scheme = Self.openScheme()
        for name in ["gtk-application-prefer-dark-theme", "gtk-theme-name", "gtk-xft-dpi"] {
            notify(UnsafeMutableRawPointer(settings), "notify::" + name)
        }
        if let scheme { notify(UnsafeMutableRawPointer(scheme), "changed::color-scheme") }
    }

    private func notify(_ object: UnsafeMutableRawPointer, _ signal: String) {
        GTK.connect(object, signal) { [weak self] in
            self?.onChange?()
            return false
        }
    }

    private static func openScheme() -> UnsafeMutablePointer<GSettings>? {
        let name = "org.gnome.desktop.interface"
        // A missing schema would end the process in g_settings_new.
        guard let source = g_settings_schema_source_get_default(),
            let schema = g_settings_schema_source_lookup(source, name, 1)
        else { return nil }
        defer { g_settings_schema_unref(schema) }
        return g_settings_schema_has_key(schema, "color-scheme") != 0 ? g_settings_new(name) : nil
    }

    var appearance: Appearance {
        if let forced { return forced }
        if flag("gtk-application-prefer-dark-theme") || text("gtk-theme-name").hasSuffix("-dark") {
            return .dark
        }
        guard let scheme, let chosen = g_settings_get_string(scheme, "color-scheme") else { return .light }
        defer { g_free(chosen) }
        return String(cString: chosen) == "prefer-dark" ? .dark : .light
    }

    /// How much larger than usual texts are: Xft.dpi by 96.
    var textScale: Double {
        let dpi = read("gtk-xft-dpi", type: 6 << 2) { g_value_get_int($0) }
        return dpi > 0 ? Double(dpi) / 1_024 / 96 : 1
    }

    private func flag(_ name: String) -> Bool { read(name, type: 5 << 2) { g_value_get_boolean($0) } != 0 }
    private func text(_ name: String) -> String {
        read(name, type: 16 << 2) { g_value_get_string($0).map { String(cString: $0) } ?? "" }
    }

    /// - Parameter type: one of GObject's fundamental types, whose macros Swift cannot read (gtype.h).
    private func read<Value>(
        _ name: String, type: GType, _ get: (UnsafePointer<GValue>) -> Value
    ) -> Value {
        var value = GValue()
        g_value_init(&value, type)
        g_object_get_property(UnsafeMutablePointer(settings), name, &value)
        defer { g_value_unset(&value) }
        return get(&value)
    }
}
