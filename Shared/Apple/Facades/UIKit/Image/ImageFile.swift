internal import FoundationExtras

/// Images by their names in a bundle: plain files (`Name.png`, `Name@2x.png`) and asset catalogues as they
/// are in the source tree (`Assets.xcassets/Name.imageset/Contents.json`); nothing is compiled.
struct ImageFile {
    var content: ImageContent
    var dark: ImageContent?
    var size: CGSize
    var scale: CGFloat
    var mode: UIImage.RenderingMode = .automatic

    static func find(_ name: String, in bundle: Bundle) -> ImageFile? {
        let index = BundleIndex.of(bundle)
        if let set = index.set(name, kinds: ["imageset", "appiconset"]) { return ImageFile(set: set) }
        if let set = index.set(name, kinds: ["symbolset"]) { return ImageFile(set: set) }
        return index.files(name).lazy.compactMap(ImageFile.init(file:)).first
    }

    /// `name@2x.png` has two pixels per point.
    static func scale(ofName name: String) -> CGFloat {
        let stem = name.split(separator: ".").dropLast().joined(separator: ".")
        if stem.hasSuffix("@2x") { return 2 }
        return stem.hasSuffix("@3x") ? 3 : 1
    }

    init?(file url: URL) { self.init(file: url, scale: ImageFile.scale(ofName: url.lastPathComponent)) }

    private init?(file url: URL, scale: CGFloat) {
        guard let data = FileManager.default.contents(atPath: url.path) else { return nil }
        guard let header = ImageHeader(data) else {
            Complaint.once("\(url.path) is no PNG, JPEG, GIF, WebP or SVG; it is left out.")
            return nil
        }
        content = .file(data, header.format)
        size = CGSize(width: header.width / scale, height: header.height / scale)
        self.scale = scale
    }

    /// The image of most pixels per point for light, and the one for dark where there is one.
    private init?(set directory: URL) {
        guard let contents = CatalogueContents(directory: directory) else { return nil }
        let images = (contents.images ?? contents.symbols ?? []).filter { $0.filename != nil }
        func best(dark: Bool) -> ImageFile? {
            images.filter { $0.isDark == dark }
                .sorted { ($0.pixels, $0.factor) > ($1.pixels, $1.factor) }
                .lazy.compactMap { entry in
                    entry.filename.flatMap {
                        ImageFile(file: directory.appendingPathComponent($0), scale: entry.factor)
                    }
                }.first
        }
        guard var found = best(dark: false) ?? best(dark: true) else { return nil }
        found.dark = best(dark: true)?.content
        found.mode = contents.properties?.intent == "template" ? .alwaysTemplate : .automatic
        self = found
    }
}

/// A `Contents.json` of an asset catalogue.
struct CatalogueContents: Decodable {
    struct Appearance: Decodable {
        var appearance: String?
        var value: String?
    }
    struct Image: Decodable {
        var filename: String?
        var scale: String?
        var size: String?
        var appearances: [Appearance]?

        var isDark: Bool { appearances.isDark }
        /// Pixels per point: "2x"; vectors have none.
        var factor: CGFloat { scale.flatMap { Double($0.dropLast()) } ?? 1 }
        /// Of app icons: "1024x1024", in points.
        var pixels: Double { size.flatMap { Double($0.prefix { $0 != "x" }) } ?? 0 }
    }
    struct Components: Decodable {
        var red: String?
        var green: String?
        var blue: String?
        var white: String?
        var alpha: String?
    }
    struct ColorValue: Decodable {
        var colorSpace: String?
        var components: Components?
        var platform: String?
        var reference: String?

        enum CodingKeys: String, CodingKey {
            case colorSpace = "color-space"
            case components, platform, reference
        }
    }
    struct Color: Decodable {
        var color: ColorValue?
        var appearances: [Appearance]?
        var isDark: Bool { appearances.isDark }
    }
    struct Properties: Decodable {
        var intent: String?
        enum CodingKeys: String, CodingKey { case intent = "template-rendering-intent" }
    }

    var images: [Image]?
    var symbols: [Image]?
    var colors: [Color]?
    var properties: Properties?

    /// nil where the file is missing or is no JSON of this form; the latter is said once.
    init?(directory: URL) {
        let file = directory.appendingPathComponent("Contents.json")
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        do { self = try JSONDecoder().decode(CatalogueContents.self, from: data) } catch {
            Complaint.once("\(file.path) cannot be read as an asset catalogue's: \(error)")
            return nil
        }
    }
}

extension [CatalogueContents.Appearance]? {
    var isDark: Bool { self?.contains { $0.value == "dark" } ?? false }
}
