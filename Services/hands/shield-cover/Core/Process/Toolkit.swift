import CGtk4
import Contract
import Glibc
import Loop

/// Starts GTK for X11, without a GPU.
@LoopActor enum Toolkit {
    /// WM_CLASS of covers, by which an agent knows them.
    static let windowClass = "org.screentime.ShieldCover"

    /// Opens GTK's display.
    /// - Throws: `unavailable` if there is none.
    static func start(display: String) throws(ServiceError) {
        let settings = [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GDK_DEBUG": "gl-disable",
            "GDK_DISABLE": "gl,vulkan,dmabuf",
        ]
        for (key, value) in settings { setenv(key, value, 1) }
        // It would offer the inspector, which can change a cover.
        unsetenv("GTK_DEBUG")
        g_set_prgname(windowClass)
        guard gtk_init_check() != 0 else {
            throw ServiceError(
                .unavailable, "GTK cannot open the X11 display '\(display)'",
                remedy: "Check that the server runs and that XAUTHORITY names its cookie file.")
        }
        // GTK's own handler exits with 1.
        XSetIOErrorHandler { _ in
            let text = Array((Toolkit.lost + "\n").utf8)
            _ = write(STDERR_FILENO, text, text.count)
            _exit(69)
        }
        guard let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else {
            preconditionFailure("GTK has a display once it started")
        }
        XErrors.watch(display)
        gtk_css_provider_load_from_data(provider, StyleSheet.common + StyleSheet.warnings, -1)
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), CoverWindow.priority)
    }

    nonisolated static let lost = "shield-cover: the display is gone. Start it again in the next session."
}
