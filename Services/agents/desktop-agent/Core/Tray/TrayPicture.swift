import DBus
import Glibc
import Loop

/// The icon of the tray: by its name where the icon theme has it, which panels draw in their own colour, else
/// drawn here.
struct TrayPicture {
    /// As in the Icon Theme Specification; empty: use `pixels`.
    let name: String
    /// `a(iiay)`: sizes and bytes, ARGB in network byte order.
    let pixels: DBusValue

    /// Sizes in pixels: those of panels, and twice as large.
    static let sizes = [22, 24, 44, 48]

    /// - Parameter environment: XDG_DATA_HOME, XDG_DATA_DIRS and HOME, as icon themes are found.
    @LoopActor static func chosen(by environment: [String: String]) -> TrayPicture {
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        let home = value("XDG_DATA_HOME") ?? value("HOME").map { $0 + "/.local/share" }
        let others = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
        let folders = ([home].compactMap(\.self) + others.map(String.init)).map { $0 + "/icons/hicolor/" }
        let files = [
            ("symbolic/apps/", TrayItem.id + "-symbolic"), ("scalable/apps/", TrayItem.id),
        ]
        for (folder, name) in files
        where folders.contains(where: { access($0 + folder + name + ".svg", R_OK) == 0 }) {
            return TrayPicture(name: name, pixels: .array(of: "(iiay)", []))
        }
        return TrayPicture(name: "", pixels: .array(of: "(iiay)", sizes.map(drawn)))
    }

    private static func drawn(_ size: Int) -> DBusValue {
        .structure([.int32(Int32(size)), .int32(Int32(size)), .bytes(HourglassDrawing.argb(size))])
    }
}

/// Our icon (deploy/desktop), drawn in few pixels.
enum HourglassDrawing {
    private typealias Point = (x: Double, y: Double)
    /// A shape of one colour, on a field of 128 by 128.
    private struct Shape {
        var colour: (red: Double, green: Double, blue: Double)
        var points: [Point]

        /// Whether a point is inside, by the even-odd rule.
        func has(_ x: Double, _ y: Double) -> Bool {
            var isInside = false
            var last = points[points.count - 1]
            for point in points {
                if (point.y > y) != (last.y > y),
                    x < (last.x - point.x) * (y - point.y) / (last.y - point.y) + point.x
                {
                    isInside.toggle()
                }
                last = point
            }
            return isInside
        }
    }

    private static let violet = (red: 79.0, green: 70.0, blue: 184.0)
    private static let white = (red: 255.0, green: 255.0, blue: 255.0)
    private static let sand = (red: 242.0, green: 163.0, blue: 58.0)

    /// From below to above.
    private static let shapes = [
        Shape(colour: violet, points: square), Shape(colour: white, points: glass),
        Shape(colour: sand, points: [(51, 46), (77, 46), (74, 54), (64, 62), (54, 54)]),
        Shape(colour: sand, points: [(51, 94), (54, 86), (64, 81), (74, 86), (77, 94)]),
        Shape(colour: white, points: [(35, 22), (93, 22), (93, 30), (35, 30)]),
        Shape(colour: white, points: [(35, 98), (93, 98), (93, 106), (35, 106)]),
    ]

    private static let square: [Point] = {
        let corners: [(x: Double, y: Double, from: Double)] = [
            (92, 36, -90), (92, 92, 0), (36, 92, 90), (36, 36, 180),
        ]
        return corners.flatMap { corner in
            (0...6).map { step in
                let angle = (corner.from + Double(step) * 15) * .pi / 180
                return (corner.x + 28 * cos(angle), corner.y + 28 * sin(angle))
            }
        }
    }()

    private static let glass: [Point] = {
        let right: [Point] = [
            (84, 28), (84, 34), (82, 44), (76, 54), (68, 64), (76, 72), (82, 82), (84, 94), (84, 100),
        ]
        return right + right.reversed().map { (128 - $0.x, $0.y) }
    }()

    /// Samples of a pixel in each direction.
    private static let samples = 3

    /// - Parameter size: width and height in pixels.
    /// - Returns: four bytes for each pixel, alpha first; colours are not multiplied by it.
    static func argb(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size * size * 4)
        let step = 128 / Double(size * samples)
        for y in 0..<size {
            for x in 0..<size { bytes += pixel(x, y, step) }
        }
        return bytes
    }

    private static func pixel(_ x: Int, _ y: Int, _ step: Double) -> [UInt8] {
        var (red, green, blue, covered) = (0.0, 0.0, 0.0, 0.0)
        for sample in 0..<samples * samples {
            let across = (Double(x * samples + sample % samples) + 0.5) * step
            let down = (Double(y * samples + sample / samples) + 0.5) * step
            guard let colour = shapes.last(where: { $0.has(across, down) })?.colour else { continue }
            covered += 1
            (red, green, blue) = (red + colour.red, green + colour.green, blue + colour.blue)
        }
        guard covered > 0 else { return [0, 0, 0, 0] }
        let alpha = covered * 255 / Double(samples * samples)
        return [alpha, red / covered, green / covered, blue / covered].map { UInt8($0.rounded()) }
    }
}
