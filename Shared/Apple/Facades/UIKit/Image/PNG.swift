internal import CPNG
internal import FoundationExtras

/// Pixels of a PNG, to make a large one smaller.
package struct PNG {
    package var width: Int
    package var height: Int
    /// Red, green, blue, alpha; row by row from the top.
    package var pixels: [UInt8]

    /// More pixels than this are not unpacked: they would take more than half of what a program may have.
    package static let pixelsMax = 8 << 20

    package init(width: Int, height: Int, pixels: [UInt8]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// nil where the file is damaged, too large or of another kind, and where this machine has no libpng.
    package init?(_ data: Data) {
        guard let header = ImageHeader(data), header.format == .png,
            header.width * header.height <= Double(Self.pixelsMax)
        else { return nil }
        let (width, height) = (UInt32(header.width), UInt32(header.height))
        var isRead = false
        let pixels = [UInt8](unsafeUninitializedCapacity: Int(width) * Int(height) * 4) { pixels, count in
            isRead = data.withUnsafeBytes { file in
                picture_read(file.baseAddress, file.count, width, height, pixels.baseAddress) != 0
            }
            count = isRead ? pixels.count : 0
        }
        guard isRead else { return nil }
        self.init(width: Int(width), height: Int(height), pixels: pixels)
    }

    /// No edge longer than `edge`; each pixel is the mean of those it stands for.
    package func smaller(edge: Int) -> PNG {
        let factor = (max(width, height) + edge - 1) / edge
        guard factor > 1 else { return self }
        let (across, down) = (max(width / factor, 1), max(height / factor, 1))
        var result = [UInt8](repeating: 0, count: across * down * 4)
        for y in 0..<down {
            for x in 0..<across {
                var sums = (red: 0, green: 0, blue: 0, alpha: 0, count: 0)
                for row in y * factor..<min((y + 1) * factor, height) {
                    for column in x * factor..<min((x + 1) * factor, width) {
                        let at = (row * width + column) * 4
                        let alpha = Int(pixels[at + 3])
                        sums.red += Int(pixels[at]) * alpha
                        sums.green += Int(pixels[at + 1]) * alpha
                        sums.blue += Int(pixels[at + 2]) * alpha
                        sums.alpha += alpha
                        sums.count += 1
                    }
                }
                let at = (y * across + x) * 4
                guard sums.alpha > 0 else { continue }
                result[at] = UInt8(sums.red / sums.alpha)
                result[at + 1] = UInt8(sums.green / sums.alpha)
                result[at + 2] = UInt8(sums.blue / sums.alpha)
                result[at + 3] = UInt8(sums.alpha / sums.count)
            }
        }
        return PNG(width: across, height: down, pixels: result)
    }

    /// nil where memory or libpng is missing.
    package var file: Data? {
        var count = 0
        guard let bytes = picture_write(pixels, UInt32(width), UInt32(height), &count) else { return nil }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}

extension UIImage {
    /// The same picture with no edge longer than `edge` pixels; nil where it is no PNG that can be read.
    package func smallerPNG(edge: Int) -> UIImage? {
        guard case .file(let data, .png) = content, let file = PNG(data)?.smaller(edge: edge).file else {
            return nil
        }
        return UIImage(.file(file, .png), size: size, scale: scale, mode: renderingMode, tint: tint)
    }
}
