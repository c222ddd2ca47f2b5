import Foundation

/// Colours of asset catalogues, by name.
enum NamedColors {
    static func color(_ name: String, bundlePath: String?) -> DynamicRGBA {
        RenderLog.warn("There is no colour named '\(name)'. Add \(name).colorset to the asset catalogue.")
        return DynamicRGBA(RGBA(0, 0, 0, 0))
    }
}
