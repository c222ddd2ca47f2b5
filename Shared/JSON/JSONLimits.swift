/// The limits of every document read. Over a limit is an error that names it.
package enum JSONLimits {
    /// How deep arrays and objects may nest; `[[1]]` has depth 2. Also bounds the recursion of the readers.
    package static let depthMax = 64
}
