import DBus
import Loop

/// Which programs of the session play media (MPRIS), and whether a screen saver covers the session. Reported
/// by signals, without polling.
@LoopActor final class PlayerWatch {
    private struct Player {
        var pid: Int32?
        var isPlaying = false
    }

    private let changed: @LoopActor () -> Void
    private let saver: @LoopActor (Bool) -> Void
    private var link: DBusLink?
    /// By the unique name of their connection.
    private var players: [String: Player] = [:]

    private static let prefix = "org.mpris.MediaPlayer2."
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"

    /// - Parameters:
    ///   - address: of the session bus.
    ///   - saver: called with whether a screen saver covers the session.
    init(
        address: String, changed: @escaping @LoopActor () -> Void, saver: @escaping @LoopActor (Bool) -> Void
    ) {
        self.changed = changed
        self.saver = saver
        link = DBusLink(
            address: address, connected: { [weak self] in self?.subscribe() },
            lost: { [weak self] in self?.forget() }, signalled: { [weak self] in self?.receive($0) })
    }

    /// Processes that play media now.
    var playing: Set<Int32> { Set(players.values.filter(\.isPlaying).compactMap(\.pid)) }

    func start() { link?.start() }
    func close() { link?.close() }

    private func subscribe() {
        link?.match(
            "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0namespace='org.mpris.MediaPlayer2'")
        link?.match("path='\(Self.path)',member='PropertiesChanged'")
        for place in ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"] {
            link?.match("interface='\(place)',member='ActiveChanged'")
        }
        link?.call(.driver, "ListNames") { [weak self] answer in
            guard let self, case .strings(let names)? = answer?.first else { return }
            for name in names where name.hasPrefix(Self.prefix) { meet(name) }
        }
    }

    private func meet(_ name: String) {
        link?.call(.driver, "GetNameOwner", [.string(name)]) { [weak self] answer in
            if let owner = answer?.first?.text { self?.add(owner) }
        }
    }

    private func add(_ owner: String) {
        players[owner] = players[owner] ?? Player()
        link?.call(.driver, "GetConnectionUnixProcessID", [.string(owner)]) { [weak self] answer in
            guard let self, case .uint32(let pid)? = answer?.first, players[owner] != nil else { return }
            players[owner]?.pid = Int32(bitPattern: pid)
            if players[owner]?.isPlaying == true { changed() }
        }
        link?.property(owner, Self.path, Self.interface, "PlaybackStatus") { [weak self] answer in
            self?.note(owner, answer?.first?.text)
        }
    }

    private func note(_ owner: String, _ status: String?) {
        guard let status, let known = players[owner], known.isPlaying != (status == "Playing") else { return }
        players[owner]?.isPlaying = status == "Playing"
        changed()
    }

    private func receive(_ signal: DBusLink.Signal) {
        switch signal.member {
        case "NameOwnerChanged":
            let words = signal.body.compactMap(\.text)
            guard words.count == 3 else { return }
            if let gone = players.removeValue(forKey: words[1]), gone.isPlaying { changed() }
            if !words[2].isEmpty { add(words[2]) }
        case "PropertiesChanged" where signal.path == Self.path:
            if signal.body.count > 1 { note(signal.sender, signal.body[1]["PlaybackStatus"]?.text) }
        case "ActiveChanged": saver(signal.body.first?.flag ?? false)
        default: break
        }
    }

    private func forget() {
        let wasPlaying = !playing.isEmpty
        players = [:]
        if wasPlaying { changed() }
    }
}
