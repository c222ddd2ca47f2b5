import CGtk4
import Loop

/// What warnings need of an X11 session.
@LoopActor final class X11WarningDesktop: WarningDesktop {
    private let placement: X11Placement

    init(_ placement: X11Placement) { self.placement = placement }

    private var list: OpaquePointer? { gdk_display_get_monitors(gdk_display_get_default()) }

    private var all: [OpaquePointer] {
        guard let list else { return [] }
        return (0..<g_list_model_get_n_items(list)).compactMap { g_list_model_get_item(list, $0) }
            .map { OpaquePointer($0) }
    }

    var monitors: [Frame] {
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

    var scale: Int {
        all.map { monitor in
            defer { g_object_unref(UnsafeMutableRawPointer(monitor)) }
            return Int(gdk_monitor_get_scale_factor(monitor))
        }.first ?? 1
    }

    func frame(of window: UInt32) -> Frame? { placement.frame(of: window) }

    var pointer: (place: Frame, window: Frame?) { placement.pointer }
}
