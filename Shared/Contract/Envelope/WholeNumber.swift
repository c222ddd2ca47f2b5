/// Numbers as people write them on command lines and in the environment.
package enum WholeNumber {
    /// - Parameter text: digits alone: no sign, which Swift's own reading takes, also before a 0.
    /// - Returns: nil: it is none, or has more than 64 bits.
    package static func of(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }
}
