public import FoundationExtras

extension UIColor {
    /// Writes the components under the current traits.
    /// - Returns: always true, because every colour has components.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let value = rgba(.current)
        red?.pointee = value.red
        green?.pointee = value.green
        blue?.pointee = value.blue
        alpha?.pointee = value.alpha
        return true
    }

    /// Writes hue, saturation and brightness, from 0 to 1, under the current traits.
    /// - Returns: always true.
    @discardableResult
    public func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?, saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let value = rgba(.current)
        let parts = ColorMath.hsb(value)
        hue?.pointee = parts.hue
        saturation?.pointee = parts.saturation
        brightness?.pointee = parts.brightness
        alpha?.pointee = value.alpha
        return true
    }

    /// Writes the gray of the same lightness, from 0 to 1.
    /// - Returns: always true. Apple's is false for colours that are not gray.
    @discardableResult
    public func getWhite(
        _ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let value = rgba(.current)
        let isGrey = value.red == value.green && value.green == value.blue
        white?.pointee = isGrey ? value.red : ColorMath.curved(value.luminance)
        alpha?.pointee = value.alpha
        return true
    }
}
