import Glibc
import Loop
import ScreenTimeTesting

/// The machine's time zone as the processes of a world see it.
@LoopActor struct MovableZone {
    // The link that /etc/localtime is, in a place of the test's own.
    private let folder: String

    init(_ world: World, _ name: String) {
        folder = world.directory + "/etc"
        mkdir(folder, 0o700)
        symlink(Self.path(name), folder + "/localtime")
        world.environment["TZ"] = ":" + folder + "/localtime"
    }

    func move(to name: String) {
        symlink(Self.path(name), folder + "/next")
        rename(folder + "/next", folder + "/localtime")
    }

    private static func path(_ name: String) -> String { "/usr/share/zoneinfo/" + name }
}
