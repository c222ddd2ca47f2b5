/// The limits of every document read. Over a limit is an error that names it.
package enum JSONLimits {
    /// How deep arrays and objects may nest; `[[1]]` has depth 2. Also bounds the recursion of the readers.
    package static let depthMax = 64
    /// The integers that a field of a record holds unless it names a range of its own: those that every
    /// reader of JSON has exactly (RFC 7493 part 2.2), and with which a sum, a difference or a conversion of
    /// seconds to milliseconds stays far inside of 64 bits.
    @usableFromInline
    package static let integers: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
}
