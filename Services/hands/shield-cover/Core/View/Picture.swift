import CGtk4

/// A decoded icon.
struct Picture: ~Copyable {
    let texture: OpaquePointer

    deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }

    /// Decodes a file that ``PictureCheck`` let through, in the size in which it is drawn at most. Nil if a
    /// library cannot read it, or the one for SVG (librsvg) is not installed.
    init?(_ bytes: [UInt8], type: String) {
        guard let loader = gdk_pixbuf_loader_new_with_type(type, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        typealias Fit = @convention(c) (OpaquePointer?, gint, gint, gpointer?) -> Void
        let fit: Fit = { loader, width, height, _ in
            let (width, height, side) = (Int(width), Int(height), CoverLimits.drawingSide)
            let longest = max(width, height, 1)
            // A drawing has no size of its own.
            gdk_pixbuf_loader_set_size(
                UnsafeMutablePointer(loader), gint(max(1, width * side / longest)),
                gint(max(1, height * side / longest)))
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(loader), "size-prepared",
            // Called with exactly these arguments (GdkPixbufLoader::size-prepared).
            unsafeBitCast(fit, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
        let isRead = gdk_pixbuf_loader_write(loader, bytes, gsize(bytes.count), nil) != 0
        let isClosed = gdk_pixbuf_loader_close(loader, nil) != 0
        guard isRead, isClosed, let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader),
            let texture = gdk_texture_new_for_pixbuf(pixbuf)
        else { return nil }
        self.texture = texture
    }
}
