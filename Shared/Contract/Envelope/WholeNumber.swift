/// Parses whole numbers from command lines and environment variables.
package enum WholeNumber {
    /// - Parameter text: digits only; unlike `Int64.init`, no sign is accepted.
    /// - Returns: nil if `text` is not such a number or exceeds 64 bits.
    package static func of(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }
}
