import Glibc

/// A bar of a terminal: whole blocks, and an eighth of one where the locale has them.
enum Bar {
    /// Fewer columns show no difference, more are not easier to compare.
    static let columnsMin = 6
    static let columnsMax = 40

    /// Whether the locale of this process can write blocks.
    static let hasBlocks = PersonLocale.isUTF8

    /// - Parameters:
    ///   - share: 0 to 1 of `columns`; more than nothing is never drawn as nothing.
    static func text(_ share: Double, columns: Int, hasBlocks: Bool = hasBlocks) -> String {
        let share = min(max(share, 0), 1)
        guard share > 0, columns > 0 else { return "" }
        guard hasBlocks else {
            return String(repeating: "#", count: max(1, Int((share * Double(columns)).rounded())))
        }
        let eighths = max(1, Int((share * Double(columns) * 8).rounded()))
        let rest = eighths % 8
        // U+2588 is a whole block, U+2589 to U+258F are seven eighths to one.
        let end = rest == 0 ? "" : String(Character(Unicode.Scalar(UInt32(0x2590 - rest)) ?? "#"))
        return String(repeating: "\u{2588}", count: eighths / 8) + end
    }
}
