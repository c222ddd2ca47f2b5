/// Screen Time's categories, and how the categories of desktop entries map to them.
package enum Categories {
    package static let other = "other"

    /// All there are. A place in this list is stored as a number: never reorder, only add.
    package static let names = [
        other, "social", "games", "entertainment", "creativity", "education", "health", "reading",
        "productivity", "shopping", "travel", "utilities", "developer tools",
    ]

    /// The category that a person or a list calls so: in any case, with `-` or `_` for a blank, or by the
    /// longer name that Apple shows; nil when there is none.
    package static func named(_ text: String) -> String? {
        let words = text.lowercased().split { " -_".contains($0) }.joined(separator: " ")
        return names.contains(words) ? words : longNames[words]
    }

    /// As Screen Time's reports show them.
    private static let longNames = [
        "social networking": "social", "productivity & finance": "productivity",
        "information & reading": "reading", "health & fitness": "health", "shopping & food": "shopping",
        "developertools": "developer tools",
    ]

    /// Freedesktop categories (menu specification, appendix A) in the order in which they are asked: an entry
    /// that fits several belongs to the first.
    private static let freedesktop: [(name: String, categories: Set<String>)] = [
        (
            "games",
            [
                "Game", "ActionGame", "AdventureGame", "ArcadeGame", "BoardGame", "BlocksGame", "CardGame",
                "KidsGame", "LogicGame", "RolePlaying", "Shooter", "Simulation", "SportsGame", "StrategyGame",
                "Emulator",
            ]
        ),
        (
            "developer tools",
            [
                "Development", "IDE", "Debugger", "GUIDesigner", "Profiling", "RevisionControl",
                "Translation", "WebDevelopment", "Building", "TerminalEmulator",
            ]
        ),
        (
            "social",
            ["Chat", "InstantMessaging", "IRCClient", "Telephony", "TelephonyTools", "VideoConference"]
        ),
        (
            "creativity",
            [
                "Graphics", "2DGraphics", "3DGraphics", "VectorGraphics", "RasterGraphics", "Photography",
                "Art", "AudioVideoEditing", "Sequencer", "Midi", "Mixer", "Recorder",
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
                "Geology", "Geoscience", "History", "Humanities", "Physics", "Robotics",
                "ArtificialIntelligence", "ComputerScience", "DataVisualization", "Economy", "Electricity",
                "Engineering", "NumericalAnalysis", "Spirituality",
            ]
        ),
        (
            "productivity",
            [
                "Office", "Calendar", "ContactManagement", "Database", "Email", "Finance", "FlowChart", "PDA",
                "ProjectManagement", "Presentation", "Publishing", "Spreadsheet", "WordProcessor",
                "TextEditor", "Chart",
            ]
        ),
        ("entertainment", ["AudioVideo", "Audio", "Video", "Player", "Music", "TV", "Tuner", "Amusement"]),
        (
            "utilities",
            [
                "Utility", "System", "Settings", "Monitor", "Security", "FileManager", "FileTools",
                "Archiving", "Compression", "Calculator", "Clock", "WebBrowser", "Network", "FileTransfer",
                "RemoteAccess", "Accessibility", "PackageManager", "Printing", "Filesystem",
                "DesktopSettings", "HardwareSettings", "DiscBurning", "P2P",
            ]
        ),
    ]

    /// The one category of an app with these freedesktop categories; `other` when nothing fits.
    package static func category(of freedesktop: [String]) -> String {
        Self.freedesktop.first { !$0.categories.isDisjoint(with: freedesktop) }?.name ?? other
    }
}
