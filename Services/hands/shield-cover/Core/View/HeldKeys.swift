/// The keys that are held. GDK asks the server for key presses without releases between them while a key
/// repeats (XkbSetDetectableAutoRepeat).
struct HeldKeys {
    private var codes: Set<UInt32> = []

    /// A key was pressed. Returns whether it was held already: then it repeats.
    mutating func press(_ code: UInt32) -> Bool { !codes.insert(code).inserted }
    mutating func release(_ code: UInt32) { codes.remove(code) }
    /// Keys may have been released elsewhere.
    mutating func forget() { codes = [] }
}
