extension Dictionary {
    /// The key as this dictionary has it; a new key is returned unchanged.
    ///
    /// Swift compares strings by canonical equivalence, SQLite by bytes: one name in two spellings (é as one
    /// scalar, or as e with an accent) is one key in memory and would be two rows. Whoever keeps rows in a
    /// dictionary binds this spelling, so that a name has one row.
    package func stored(_ key: Key) -> Key { index(forKey: key).map { self[$0].key } ?? key }
}
