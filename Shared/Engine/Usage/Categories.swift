/// Screen Time's categories, and how the categories of desktop entries map to them.
package enum Categories {
    package static let other = "other"

    /// All, in the order in which they are asked: an entry that fits several belongs to the first.
    static let all: [(name: String, freedesktop: Set<String>)] = [
        (
            "games",
            [
                "Game", "ActionGame", "AdventureGame", "ArcadeGame", "BoardGame", "BlocksGame", "CardGame",
                "KidsGame", "LogicGame", "RolePlaying", "Shooter", "Simulation", "SportsGame", "StrategyGame",
            ]
        ),
        (
            "developer tools",
            [
                "Development", "IDE", "Debugger", "GUIDesigner", "Profiling", "RevisionControl",
                "Translation",
                "WebDevelopment", "Building", "TerminalEmulator",
            ]
        ),
        (
            "social",
            [
                "Chat", "InstantMessaging", "IRCClient", "Telephony", "TelephonyTools", "VideoConference",
            ]
        ),
        (
            "creativity",
            [
                "Graphics", "2DGraphics", "3DGraphics", "VectorGraphics", "RasterGraphics", "Photography",
                "Art",
                "AudioVideoEditing", "Sequencer", "Midi", "Mixer", "Recorder",
            ]
        ),
        ("reading", ["News", "Dictionary", "Literature", "Feed"]),
        ("health", ["MedicalSoftware", "Sports"]),
        ("travel", ["Maps"]),
        ("shopping", ["Shopping"]),
        (
            "education",
            [
                "Education", "Science", "Languages", "Math", "Astronomy", "Biology", "Chemistry", "Geography",
                "Geology",
                "History", "Humanities", "Physics", "Robotics", "ArtificialIntelligence", "ComputerScience",
            ]
        ),
        (
            "productivity",
            [
                "Office", "Calendar", "ContactManagement", "Database", "Email", "Finance", "FlowChart", "PDA",
                "ProjectManagement", "Presentation", "Publishing", "Spreadsheet", "WordProcessor",
                "TextEditor",
            ]
        ),
        ("entertainment", ["AudioVideo", "Audio", "Video", "Player", "Music", "TV", "Tuner", "Amusement"]),
        (
            "utilities",
            [
                "Utility", "System", "Settings", "Monitor", "Security", "FileManager", "Archiving",
                "Calculator",
                "Clock", "WebBrowser", "Network", "FileTransfer", "RemoteAccess", "Accessibility",
                "PackageManager",
            ]
        ),
    ]

    /// The one category of an app with these freedesktop categories; `other` when nothing fits.
    package static func category(of freedesktop: [String]) -> String {
        all.first { !$0.freedesktop.isDisjoint(with: freedesktop) }?.name ?? other
    }
}
