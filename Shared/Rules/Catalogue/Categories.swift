/// Screen Time's categories, and their mapping from the categories of desktop entries.
package enum Categories {
    /// The category of what is unknown.
    package static let other = "other"

    /// All categories. Indices of this list are stored: never reorder, only append.
    package static let names = [
        other, "social", "games", "entertainment", "creativity", "education", "health", "reading",
        "productivity", "shopping", "travel", "utilities", "developer tools",
    ]

    /// The category with this name: case-insensitive, with `-` or `_` for a blank, or under the longer name
    /// that Apple shows; nil if there is none.
    package static func named(_ text: String) -> String? {
        let words = text.lowercased().split { " -_".contains($0) }.joined(separator: " ")
        return names.contains(words) ? words : longNames[words]
    }

    /// Names in Screen Time's reports.
    private static let longNames = [
        "social networking": "social", "productivity & finance": "productivity",
        "information & reading": "reading", "health & fitness": "health", "shopping & food": "shopping",
        "developertools": "developer tools",
    ]

    /// Freedesktop categories (menu specification, appendix A) in order of precedence: an entry that matches
    /// several belongs to the first.
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

    /// The category of an app with these freedesktop categories; `other` if none matches.
    package static func category(of freedesktop: [String]) -> String {
        Self.freedesktop.first { !$0.categories.isDisjoint(with: freedesktop) }?.name ?? other
    }
}
