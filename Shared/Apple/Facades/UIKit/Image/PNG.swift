internal import FoundationExtras

/// Pixels of a PNG, to make a large one smaller. Only what design tools write: 8 bits, not interlaced.
package struct PNG {
    package var width: Int
    package var height: Int
    /// Red, green, blue, alpha; row by row from the top.
    package var pixels: [UInt8]

    /// More pixels than this are not unpacked.
    package static let pixelsMax = 4_096 * 4_096

    private enum Kind: UInt8 {
        case grey = 0
        case color = 2
        case palette = 3
        case greyAlpha = 4
        case colorAlpha = 6

        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .color: 3
            case .colorAlpha: 4
            }
        }
    }

    package init(width: Int, height: Int, pixels: [UInt8]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// nil where the file is damaged or of another kind.
    package init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard let header = ImageHeader(data), header.format == .png, bytes.count > 33, bytes[24] == 8,
            let kind = Kind(rawValue: bytes[25]), bytes[28] == 0
        else { return nil }
        (width, height) = (Int(header.width), Int(header.height))
        guard width <= Self.pixelsMax, height <= Self.pixelsMax / width else { return nil }
        var (packed, palette, clear) = ([UInt8](), [UInt8](), [UInt8]())
        var at = 8
        while at + 12 <= bytes.count {
            let count = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard count <= bytes.count - at - 12 else { break }
            let body = bytes[at + 8..<at + 8 + count]
            switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
            case "IDAT": packed += body
            case "PLTE": palette = Array(body)
            case "tRNS": clear = Array(body)
            default: break
            }
            at += 12 + count
        }
        let rowBytes = width * kind.samples
        guard let rows = Inflate.unpack(packed, bytesMax: (rowBytes + 1) * height),
            rows.count == (rowBytes + 1) * height,
            let samples = Self.unfilter(rows, rowBytes: rowBytes, height: height, step: kind.samples)
        else { return nil }
        pixels = Self.colors(samples, kind, palette, kind == .palette ? clear : [])
    }

    /// Each row is written as its difference from what is left of it and above it.
    private static func unfilter(_ rows: [UInt8], rowBytes: Int, height: Int, step: Int) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: rowBytes * height)
        for row in 0..<height {
            let (source, start) = (row * (rowBytes + 1), row * rowBytes)
            let filter = rows[source]
            guard filter <= 4 else { return nil }
            for column in 0..<rowBytes {
                let left = column >= step ? result[start + column - step] : 0
                let above = row > 0 ? result[start + column - rowBytes] : 0
                let corner = row > 0 && column >= step ? result[start + column - rowBytes - step] : 0
                let guess: UInt8 =
                    switch filter {
                    case 1: left
                    case 2: above
                    case 3: UInt8((Int(left) + Int(above)) / 2)
                    case 4: nearest(Int(left), Int(above), Int(corner))
                    default: 0
                    }
                result[start + column] = rows[source + 1 + column] &+ guess
            }
        }
        return result
    }

    private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
        let (a, b, c) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
        return UInt8(a <= b && a <= c ? left : b <= c ? above : corner)
    }

    private static func colors(
        _ samples: [UInt8], _ kind: Kind, _ palette: [UInt8], _ clear: [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(samples.count / kind.samples * 4)
        for start in stride(from: 0, to: samples.count, by: kind.samples) {
            let first = samples[start]
            switch kind {
            case .grey: result += [first, first, first, 255]
            case .greyAlpha: result += [first, first, first, samples[start + 1]]
            case .color: result += [first, samples[start + 1], samples[start + 2], 255]
            case .colorAlpha: result += samples[start..<start + 4]
            case .palette:
                let entry = Int(first) * 3
                result += entry + 2 < palette.count ? palette[entry..<entry + 3] : [0, 0, 0]
                result.append(Int(first) < clear.count ? clear[Int(first)] : 255)
            }
        }
        return result
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

    /// A file with the pixels as they are, unpacked: small pictures only.
    package var file: Data {
        var rows: [UInt8] = []
        for row in 0..<height { rows += [0] + pixels[row * width * 4..<(row + 1) * width * 4] }
        var packed: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let count = min(rows.count - start, 65_535)
            packed.append(start + count == rows.count ? 1 : 0)
            for value in [UInt16(count), ~UInt16(count)] {
                packed += [UInt8(value & 0xFF), UInt8(value >> 8)]
            }
            packed += rows[start..<start + count]
        }
        packed += Self.big(Self.adler(rows))
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += Self.chunk("IHDR", Self.big(UInt32(width)) + Self.big(UInt32(height)) + [8, 6, 0, 0, 0])
        return Data(bytes + Self.chunk("IDAT", packed) + Self.chunk("IEND", []))
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        return big(UInt32(body.count)) + named + big(checksum(named))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static let checksums: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes { value = value >> 8 ^ checksums[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
        return ~value
    }
}

extension UIImage {
    /// The same picture with no edge longer than `edge` pixels; nil where it is no PNG that can be read.
    package func smallerPNG(edge: Int) -> UIImage? {
        guard case .file(let data, .png) = content, let picture = PNG(data) else { return nil }
        let file = picture.smaller(edge: edge).file
        return UIImage(.file(file, .png), size: size, scale: scale, mode: renderingMode, tint: tint)
    }
}
