import CGtk4
import Glibc
import Units

/// The child process that decodes one picture, with bounds on what that takes: a drawing can occupy a
/// processor for minutes without being large, and a thread cannot be ended.
package enum PictureProgram {
    static let word = "decode-picture"

    /// Decodes and exits, if the arguments say so. The file comes on standard input; ``Pixels`` go out.
    /// The exit code is 0, or 1 if the file cannot be read; above the limit of time SIGPROF ends it.
    package static func runIfAsked(_ arguments: [String]) {
        guard arguments.count == 3, arguments[1] == word, let kind = PictureFile.Kind(rawValue: arguments[2])
        else { return }
        bound()
        guard let pixels = decode(readAll(), kind), writeAll(pixels.encoded) else { exit(1) }
        exit(0)
    }

    private static func bound() {
        let time = CoverLimits.pictureTime.count
        var limit = itimerval(
            it_interval: timeval(),
            it_value: timeval(tv_sec: Int(time / 1_000), tv_usec: Int(time % 1_000 * 1_000)))
        // Of the processor, so that a busy machine refuses nothing. Without a handler SIGPROF ends a process.
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
        for (resource, most) in [
            (RLIMIT_DATA, CoverLimits.pictureMemoryMax), (RLIMIT_FSIZE, Pixels.bytesMax), (RLIMIT_CORE, 0),
        ] {
            var bound = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
            setrlimit(__rlimit_resource_t(resource.rawValue), &bound)
        }
    }

    private static func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The file that ``PictureCheck`` let through, in the size in which it is drawn at most. Nil if a library
    /// cannot read it, or the one for SVG (librsvg) is not installed.
    private static func decode(_ bytes: [UInt8], _ kind: PictureFile.Kind) -> Pixels? {
        guard let loader = gdk_pixbuf_loader_new_with_type(kind.rawValue, nil) else { return nil }
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
        guard isRead, isClosed, let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader) else { return nil }
        return pixels(of: pixbuf)
    }

    private static func pixels(of pixbuf: OpaquePointer) -> Pixels? {
        guard let whole = gdk_pixbuf_add_alpha(pixbuf, 0, 0, 0, 0) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(whole)) }
        let (width, height) = (Int(gdk_pixbuf_get_width(whole)), Int(gdk_pixbuf_get_height(whole)))
        let stride = Int(gdk_pixbuf_get_rowstride(whole))
        guard let start = gdk_pixbuf_read_pixels(whole) else { return nil }
        var bytes: [UInt8] = []
        for row in 0..<height {
            bytes += UnsafeBufferPointer(start: start + row * stride, count: width * 4)
        }
        return Pixels(width: width, height: height, bytes: bytes)
    }
}
