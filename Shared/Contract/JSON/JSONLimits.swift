/// Limits for every document that is read. Exceeding one is an error that names it.
package enum JSONLimits {
    /// Maximum nesting of arrays and objects; `[[1]]` has depth 2. It also bounds the recursion of the
    /// readers.
    package static let depthMax = 64
    /// The range of integer fields without a range of their own: integers that every JSON reader represents
    /// exactly (RFC 7493 part 2.2), and with which a sum, a difference or a conversion of seconds to
    /// milliseconds stays far inside 64 bits.
    @usableFromInline
    package static let integers: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
}
