/// RFC 3492 with the parameters of its section 5: how a label that is not ASCII is written in ASCII.
enum Punycode {
    private static let base = 36
    private static let thresholdMin = 1
    private static let thresholdMax = 26
    private static let skew = 38
    private static let damp = 700
    private static let biasFirst = 72
    private static let codeFirst = 128

    /// `münchen` gives `xn--mnchen-3ya`; ASCII stays as it is.
    static func label(_ label: Substring) -> String {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        let basic = scalars.filter { $0 < codeFirst }
        guard basic.count < scalars.count else { return String(label) }
        var output = basic.map { UInt8(truncatingIfNeeded: $0) }
        if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (codeFirst, 0, biasFirst, basic.count)
        while handled < scalars.count {
            let next = scalars.filter { $0 >= code }.min() ?? code
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in scalars {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                write(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    /// `xn--mnchen-3ya` gives `münchen`; nil for a label that no other is written as.
    static func readable(_ label: Substring) -> String? {
        guard label.hasPrefix("xn--") else { return nil }
        let text = Array(label.utf8.dropFirst(4))
        let mark = text.lastIndex(of: UInt8(ascii: "-"))
        var scalars = mark.map { text[..<$0].map(Int.init) } ?? []
        var rest = mark.map { text[($0 + 1)...] } ?? text[...]
        var (code, place, bias) = (codeFirst, 0, biasFirst)
        while !rest.isEmpty {
            guard let delta = read(&rest, bias) else { return nil }
            let count = scalars.count + 1
            bias = adapted(delta, count, isFirst: place == 0 && code == codeFirst)
            code += (place + delta) / count
            place = (place + delta) % count
            guard code <= 0x10FFFF else { return nil }
            scalars.insert(code, at: place)
            place += 1
        }
        var readable = ""
        for scalar in scalars {
            guard let scalar = Unicode.Scalar(UInt32(scalar)) else { return nil }
            readable.unicodeScalars.append(scalar)
        }
        return self.label(readable[...]) == label ? readable : nil
    }

    /// Takes a number; nil: it does not end, or is none that a label has.
    private static func read(_ digits: inout ArraySlice<UInt8>, _ bias: Int) -> Int? {
        var (number, weight, place) = (0, 1, base)
        while let byte = digits.popFirst() {
            let digit: Int
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(byte) - 97
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte) - 48 + 26
            default: return nil
            }
            number += digit * weight
            let threshold = min(max(place - bias, thresholdMin), thresholdMax)
            guard number <= 0x10FFFF * 64 else { return nil }
            if digit < threshold { return number }
            weight *= base - threshold
            guard weight <= 0x10FFFF * 64 else { return nil }
            place += base
        }
        return nil
    }

    /// A number in digits whose weights depend on the bias.
    private static func write(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = number
        var place = base
        while true {
            let threshold = min(max(place - bias, thresholdMin), thresholdMax)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / damp : delta / 2
        rest += rest / count
        var steps = 0
        while rest > (base - thresholdMin) * thresholdMax / 2 {
            rest /= base - thresholdMin
            steps += base
        }
        return steps + (base - thresholdMin + 1) * rest / (rest + skew)
    }

    /// a to z, then 0 to 9.
    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }
}
