/// Unpacks a zlib stream (RFC 1950 and 1951). The checksum is not looked at: a damaged picture is a picture.
struct Inflate {
    private let bytes: [UInt8]
    private var position = 2
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private let outputBytesMax: Int

    /// nil where the stream is damaged, or is longer than `bytesMax` unpacked.
    static func unpack(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
        guard bytes.count > 2, bytes[0] & 0x0F == 8 else { return nil }
        var inflate = Inflate(bytes, bytesMax)
        return inflate.run() ? inflate.output : nil
    }

    private init(_ bytes: [UInt8], _ bytesMax: Int) {
        self.bytes = bytes
        outputBytesMax = bytesMax
    }

    private mutating func run() -> Bool {
        while true {
            guard let isLast = take(1), let kind = take(2) else { return false }
            let succeeded: Bool
            switch kind {
            case 0: succeeded = stored()
            case 1: succeeded = block(Self.fixedLengths, Self.fixedDistances)
            case 2: succeeded = dynamic()
            default: succeeded = false
            }
            guard succeeded else { return false }
            if isLast == 1 { return true }
        }
    }

    private mutating func take(_ count: Int) -> Int? {
        while bitCount < count {
            guard position < bytes.count else { return nil }
            bits |= UInt32(bytes[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = Int(bits & ((1 << UInt32(count)) - 1))
        bits >>= UInt32(count)
        bitCount -= count
        return value
    }

    private mutating func stored() -> Bool {
        (bits, bitCount) = (0, 0)
        guard position + 4 <= bytes.count else { return false }
        let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
        position += 4
        guard position + count <= bytes.count, output.count + count <= outputBytesMax else { return false }
        output += bytes[position..<position + count]
        position += count
        return true
    }

    // MARK: Huffman codes

    /// Codes of up to 15 bits: how many there are of each length, and what they stand for in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int]

        init(_ lengths: [Int]) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var next = [Int](repeating: 0, count: 17)
            for length in 1...15 { next[length + 1] = next[length] + counts[length] }
            symbols = [Int](repeating: 0, count: lengths.count)
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[next[length]] = symbol
                next[length] += 1
            }
        }
    }

    private static let fixedLengths = Code(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Code([Int](repeating: 5, count: 30))

    private mutating func symbol(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = take(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func dynamic() -> Bool {
        guard let literals = take(5), let distances = take(5), let codes = take(4) else { return false }
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<codes + 4 {
            guard let length = take(3) else { return false }
            lengths[Self.order[index]] = length
        }
        let code = Code(lengths)
        let total = literals + 257 + distances + 1
        var found: [Int] = []
        while found.count < total {
            guard let symbol = symbol(code) else { return false }
            switch symbol {
            case ..<16: found.append(symbol)
            case 16:
                guard let last = found.last, let times = take(2) else { return false }
                found += [Int](repeating: last, count: times + 3)
            default:
                guard let times = take(symbol == 17 ? 3 : 7) else { return false }
                found += [Int](repeating: 0, count: times + (symbol == 17 ? 3 : 11))
            }
        }
        guard found.count == total else { return false }
        return block(Code(Array(found[..<(literals + 257)])), Code(Array(found[(literals + 257)...])))
    }

    // MARK: repetitions

    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
        3073,
        4097, 6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func block(_ lengths: Code, _ distances: Code) -> Bool {
        while true {
            guard let symbol = symbol(lengths) else { return false }
            if symbol == 256 { return true }
            if symbol < 256 {
                guard output.count < outputBytesMax else { return false }
                output.append(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengthBase.count, let more = take(Self.lengthBits[symbol - 257]),
                let place = self.symbol(distances), place < Self.distanceBase.count,
                let further = take(max(place / 2 - 1, 0))
            else { return false }
            let length = Self.lengthBase[symbol - 257] + more
            let distance = Self.distanceBase[place] + further
            guard distance <= output.count, output.count + length <= outputBytesMax else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
