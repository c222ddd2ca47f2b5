import Foundation
import UIKit

/// Looks up colours of asset catalogues by name.
enum NamedColors {
    static func color(_ name: String, bundlePath: String?) -> DynamicRGBA {
        let bundle = bundlePath.flatMap { Bundle(path: $0) }
        if let color = UIColor(named: name, in: bundle, compatibleWith: nil) {
            let (light, dark) = color.appearances
            return DynamicRGBA(light: light, dark: dark)
        }
        RenderLog.warn("There is no colour named '\(name)'. Add \(name).colorset to the asset catalogue.")
        return DynamicRGBA(RGBA(0, 0, 0, 0))
    }
}
