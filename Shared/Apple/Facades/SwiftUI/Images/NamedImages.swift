import Foundation
public import UIKit

/// Looks up images of bundles by name.
enum NamedImages {
    /// The image, or nil with a log entry.
    static func image(_ name: String, bundlePath: String?) -> UIImage? {
        let bundle = bundlePath.flatMap { Bundle(path: $0) }
        if let image = UIImage(named: name, in: bundle, with: nil) { return image }
        RenderLog.warn(
            "There is no image named '\(name)'. Add it to the bundle's resources or asset catalogue.")
        return nil
    }
}

nonisolated extension Image {
    /// An image from UIKit, as SVG or with its original bytes.
    public init(uiImage: UIImage) { self.init(source: .picture(Picture(uiImage))) }
    /// An image of the asset catalogue.
    public init(_ resource: ImageResource) {
        self.init(source: .picture(Picture(UIImage(resource: resource))))
    }

    /// An image with its content.
    struct Picture: Equatable, Sendable {
        let image: UIImage
        init(_ image: UIImage) { self.image = image }
        static func == (one: Picture, other: Picture) -> Bool { one.image.isEqual(other.image) }

        /// For the light and the dark scheme, as data URLs.
        var sources: (light: String, dark: String) { (source(dark: false), source(dark: true)) }
        private func source(dark: Bool) -> String {
            let content = dark ? image.darkContent ?? image.content : image.content
            if case .file(let data, let format) = content, image.tint == nil {
                return SVG.dataURI(data, format)
            }
            return SVG.dataURI(Data(image.svg(dark: dark).utf8), .svg)
        }
    }
}

nonisolated extension Color {
    /// A colour of the asset catalogue.
    public init(_ resource: ColorResource) { self.init(uiColor: UIColor(resource: resource)) }
}
