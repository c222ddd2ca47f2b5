import CGtk4

/// The system's own icon: an hourglass whose time is up, in a soft circle. Drawn here, on a square of 24
/// units.
enum Hourglass {
    static func draw(_ cairo: OpaquePointer, side: Double, accent: Colour) {
        cairo_scale(cairo, side / 24, side / 24)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_arc(cairo, 12, 12, 12, 0, 2 * .pi)
        paint(cairo, accent, 0.13)
        cairo_fill(cairo)
        sand(cairo, accent)
        glass(cairo)
        cairo_set_line_width(cairo, 1.15)
        paint(cairo, accent, 1)
        cairo_stroke(cairo)
        for y in [5.6, 18.4] {
            cairo_move_to(cairo, 7.4, y)
            cairo_line_to(cairo, 16.6, y)
        }
        cairo_set_line_width(cairo, 1.5)
        cairo_stroke(cairo)
    }

    private static func paint(_ cairo: OpaquePointer, _ colour: Colour, _ alpha: Double) {
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, alpha)
    }

    /// The outline of both bulbs.
    private static func glass(_ cairo: OpaquePointer) {
        cairo_move_to(cairo, 8.6, 5.6)
        cairo_line_to(cairo, 15.4, 5.6)
        cairo_line_to(cairo, 15.4, 7.5)
        cairo_curve_to(cairo, 15.4, 9.9, 12.75, 10.7, 12.75, 12)
        cairo_curve_to(cairo, 12.75, 13.3, 15.4, 14.1, 15.4, 16.5)
        cairo_line_to(cairo, 15.4, 18.4)
        cairo_line_to(cairo, 8.6, 18.4)
        cairo_line_to(cairo, 8.6, 16.5)
        cairo_curve_to(cairo, 8.6, 14.1, 11.25, 13.3, 11.25, 12)
        cairo_curve_to(cairo, 11.25, 10.7, 8.6, 9.9, 8.6, 7.5)
        cairo_close_path(cairo)
    }

    /// All of it has run through.
    private static func sand(_ cairo: OpaquePointer, _ accent: Colour) {
        cairo_save(cairo)
        glass(cairo)
        cairo_clip(cairo)
        cairo_move_to(cairo, 8, 19)
        cairo_line_to(cairo, 8, 17)
        cairo_curve_to(cairo, 9.6, 16.9, 11.2, 15.9, 12, 14.6)
        cairo_curve_to(cairo, 12.8, 15.9, 14.4, 16.9, 16, 17)
        cairo_line_to(cairo, 16, 19)
        cairo_close_path(cairo)
        paint(cairo, accent, 0.8)
        cairo_fill(cairo)
        cairo_restore(cairo)
    }
}
