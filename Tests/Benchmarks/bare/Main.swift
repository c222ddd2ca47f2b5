import Glibc

/// The least a Swift program can be: gives back each byte it reads. The reference for extension programs.
@main struct Bare {
    static func main() {
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1 { _ = write(1, &byte, 1) }
    }
}
