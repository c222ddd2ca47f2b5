import CGtk4
import Loop

/// The monitors of the session, as GTK knows them.
@LoopActor enum Monitors {
    private static var all: [OpaquePointer] {
        guard let list = gdk_display_get_monitors(gdk_display_get_default()) else { return [] }
        return (0..<g_list_model_get_n_items(list)).compactMap { g_list_model_get_item(list, $0) }
            .map { OpaquePointer($0) }
    }

    /// Without what belongs to panels, in pixels of the screen.
    static var areas: [Frame] {
        all.map { monitor in
            defer { g_object_unref(UnsafeMutableRawPointer(monitor)) }
            var area = GdkRectangle()
            gdk_x11_monitor_get_workarea(monitor, &area)
            if area.width == 0 { gdk_monitor_get_geometry(monitor, &area) }
            let scale = Int(gdk_monitor_get_scale_factor(monitor))
            return Frame(
                x: Int(area.x) * scale, y: Int(area.y) * scale, width: Int(area.width) * scale,
                height: Int(area.height) * scale)
        }
    }

    /// Pixels of a unit of GTK.
    static var scale: Int {
        all.map { monitor in
            defer { g_object_unref(UnsafeMutableRawPointer(monitor)) }
            return Int(gdk_monitor_get_scale_factor(monitor))
        }.first ?? 1
    }
}
