public import FoundationExtras

extension UIImage {
    /// An image of the main bundle: of an asset catalogue, or a file with or without its ending.
    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    /// - Parameter bundle: nil: the main one.
    public convenience init?(
        named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?
    ) {
        guard let found = ImageFile.find(name, in: bundle ?? .main) else {
            Complaint.once("There is no image '\(name)' in \((bundle ?? .main).bundlePath).")
            return nil
        }
        let dark = traitCollection?.userInterfaceStyle == .dark ? found.dark : nil
        self.init(
            dark ?? found.content, dark: found.dark, size: found.size, scale: found.scale, mode: found.mode)
    }

    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        self.init(named: name, in: bundle, compatibleWith: nil)
    }

    /// A custom image of the catalogue; one that is not there is an empty image, and is named in the log.
    public convenience init(resource: ImageResource) {
        guard let found = ImageFile.find(resource.name, in: resource.bundle) else {
            Complaint.once("There is no image '\(resource.name)' in \(resource.bundle.bundlePath).")
            self.init()
            return
        }
        self.init(found.content, dark: found.dark, size: found.size, scale: found.scale, mode: found.mode)
    }
}

/// An image of an asset catalogue by its name.
public struct ImageResource: Hashable, Sendable {
    package let name: String
    package let path: String

    public init(name: String, bundle: Bundle) {
        self.name = name
        path = bundle.bundlePath
    }

    package var bundle: Bundle { Bundle(path: path) ?? .main }
}

/// A colour of an asset catalogue by its name.
public struct ColorResource: Hashable, Sendable {
    package let name: String
    package let path: String

    public init(name: String, bundle: Bundle) {
        self.name = name
        path = bundle.bundlePath
    }

    package var bundle: Bundle { Bundle(path: path) ?? .main }
}
