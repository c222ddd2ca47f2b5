internal import CPosix
import Glibc

/// Takes the directories that a host is about to empty away under it, and puts symbolic links there.
enum Swapping {
    /// Without a host: `unruly-fixture swap DIRECTORY TARGET`, until it is killed. In `DIRECTORY` it fills
    /// directories of the names that hosts know, and exchanges each with a link to `TARGET`, back and forth.
    static func begin(_ arguments: [String]) -> Never {
        let (directory, target) = (arguments[0], arguments[1])
        // The host waits for this line.
        print("swapping")
        fflush(nil)
        while true {
            for name in ["tmp", "deep", "Library"] { swap("\(directory)/\(name)", target) }
        }
    }

    private static func swap(_ path: String, _ target: String) {
        let (link, fresh) = (path + ".link", path + ".fresh")
        fill(fresh)
        // Where there is a directory already it stays; where there is a link, too.
        rename(fresh, path)
        symlink(target, link)
        for _ in 0..<200 { renameat2(AT_FDCWD, path, AT_FDCWD, link, 2) }  // RENAME_EXCHANGE
    }

    /// Under a name that is never a link, so that it writes nothing elsewhere itself.
    private static func fill(_ path: String) {
        mkdir(path, 0o700)
        for number in 0..<8 {
            let file = open("\(path)/\(number)", O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
            if file >= 0 { close(file) }
            mkdir("\(path)/d\(number)", 0o700)
        }
    }
}
