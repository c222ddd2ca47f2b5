/// ASCII text, mostly digits: reports label each of their segments with one.
struct DigitText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(32) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Removes the text and keeps its room.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func add(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Adds a number with leading zeros.
    mutating func add(_ number: Int, digits: Int) {
        guard number >= 0, digits > 1 || number < 10 else {
            let text = String(number).utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: max(0, digits - text.count))
            bytes += text
            return
        }
        if digits > 1, digits > 2 || number >= 100 {
            add(number / 10, digits: digits - 1)
        } else if digits == 2 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        }
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
