import Bus
import Contract
internal import FileAccess
import Glibc
package import Loop

/// The icons of apps: `GET /icon/APP`, as the app's desktop entry names it in the catalogue.
@LoopActor package final class AppPictures {
    nonisolated static let path = "/icon/"
    private let services: Services
    private let finder: IconFinder

    /// - Parameter environment: of the process, which names the directories of icons.
    package init(_ services: Services, environment: [String: String]) {
        self.services = services
        finder = IconFinder(environment: environment)
    }

    /// 204 if the app has no icon, or there is no file of it; a page draws a letter then.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let app = String(request.path.dropFirst(Self.path.count))
        do throws(ServiceError) {
            let item = try await services.call(
                CatalogResolve.self, CatalogTarget(app: app), CallOptions(deadline: ConsoleLimits.request))
            guard let picture = item.icon.flatMap(finder.picture) else { return Self.missing }
            return HTTPResponse(
                Packed(picture.bytes, isText: picture.isDrawing),
                type: picture.isDrawing ? "image/svg+xml" : "image/png", caching: Self.caching,
                to: request, Gate.fieldsOfIcon.map { ($0.name, $0.value) })
        } catch { return HTTPResponse(error) }
    }

    /// Nothing to show is no error, of which a browser would tell.
    private static var missing: HTTPResponse { HTTPResponse(204, [("Cache-Control", caching)]) }
    private static let caching = "private, max-age=3600"
}

/// Finds icons by name, as the Icon Theme Specification says for the theme `hicolor`, which every app
/// installs into, and then in two others; a theme that the person chose is not asked for.
struct IconFinder {
    /// Bytes of a picture.
    struct Picture {
        var bytes: [UInt8]
        /// SVG; else PNG.
        var isDrawing: Bool
    }

    /// Directories that have themes, in the order in which they are searched.
    let places: [String]
    private let pixmaps: [String]

    init(environment: [String: String]) {
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        let home = value("HOME")
        let own = value("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
        let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(
            String.init)
        let flatpak = [own.map { $0 + "/flatpak/exports/share" }, "/var/lib/flatpak/exports/share"]
        let data = ([own] + flatpak).compactMap(\.self) + shared
        places =
            (home.map { [$0 + "/.icons"] } ?? []) + data.filter { $0.hasPrefix("/") }.map { $0 + "/icons" }
        pixmaps = data.filter { $0.hasPrefix("/") }.map { $0 + "/pixmaps" }
    }

    private static let sizes = [256, 128, 512, 96, 64, 72, 48, 36, 32, 24, 16].map { "\($0)x\($0)/apps" }
    private static let themes: [(name: String, folders: [String])] = [
        ("hicolor", ["scalable/apps"] + sizes), ("Adwaita", ["scalable/apps"] + sizes),
        ("breeze", ["apps/64", "apps/48", "apps/32"]),
    ]

    /// - Parameter icon: of a desktop entry: a name, or an absolute path.
    /// - Returns: nil if there is none, or what is there is no PNG or SVG of at most
    ///   ``ConsoleLimits/iconBytesMax`` bytes.
    func picture(_ icon: String) -> Picture? {
        guard !icon.hasPrefix("/") else { return Self.read(icon) }
        guard let name = EntryName(icon), !icon.hasPrefix(".") else { return nil }
        let base =
            [".svg", ".png"].first(where: name.text.hasSuffix).map { String(icon.dropLast($0.count)) } ?? icon
        for (theme, folders) in Self.themes {
            for place in places where access("\(place)/\(theme)", X_OK) == 0 {
                for folder in folders {
                    let endings =
                        folder.hasPrefix("scalable") || theme == "breeze" ? ["svg"] : ["png", "svg"]
                    for ending in endings {
                        if let found = Self.read("\(place)/\(theme)/\(folder)/\(base).\(ending)") {
                            return found
                        }
                    }
                }
            }
        }
        return pixmaps.lazy.flatMap { ["\($0)/\(base).svg", "\($0)/\(base).png"] }.compactMap(Self.read).first
    }

    /// Links are followed: themes are made of them, and the file is the person's or the system's.
    private static func read(_ path: String) -> Picture? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        do throws(FileError) {
            let state = try FileState(descriptor, path, max: ConsoleLimits.iconBytesMax)
            return checked(try FileState.read(descriptor, state, path))
        } catch { return nil }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes in which `<svg` begins, behind a declaration and comments.
    private static let beginning = 4_096

    /// A desktop entry may name any file.
    static func checked(_ bytes: [UInt8]) -> Picture? {
        if bytes.starts(with: signature) { return Picture(bytes: bytes, isDrawing: false) }
        let start = bytes.prefix(beginning)
        let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
        guard start.first(where: { $0 > 0x20 && !mark.contains($0) }) == UInt8(ascii: "<"),
            start.indices.contains(where: { start[$0...].starts(with: "<svg".utf8) })
        else { return nil }
        return Picture(bytes: bytes, isDrawing: true)
    }
}
