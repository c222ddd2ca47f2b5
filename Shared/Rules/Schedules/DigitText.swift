/// ASCII text of a known length, mostly digits: reports label each of their segments with one.
struct DigitText {
    private var bytes: [UInt8] = []

    /// - Parameter bytes: number of bytes that are expected.
    init(bytes count: Int) { bytes.reserveCapacity(count) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Adds a number with leading zeros.
    mutating func add(_ number: Int, digits: Int) {
        guard number >= 0, digits > 1 || number < 10 else {
            let text = String(number).utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: max(0, digits - text.count))
            bytes += text
            return
        }
        if digits > 1 { add(number / 10, digits: digits - 1) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Adds `YYYY-MM-DD`.
    mutating func add(_ date: LocalDate) {
        let (year, month, day) = date.parts
        add(year, digits: 4)
        add("-")
        add(month, digits: 2)
        add("-")
        add(day, digits: 2)
    }
}
