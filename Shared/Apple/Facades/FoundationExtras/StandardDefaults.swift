public import Foundation

/// Called at the end of every program that is linked with this module: saves `UserDefaults.standard` in the
/// program's home, which for an extension is its own container. A program that is killed loses what it wrote
/// there since its start or the last `synchronize()`. App groups lose nothing.
@_cdecl("screentime_save_defaults")
func saveStandardDefaults() { UserDefaults.standard.synchronize() }

extension UserDefaults {
    /// Same as `object(forKey:)`. Only this part and `setValue` of key-value coding exist.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
    /// Same as `set(_:forKey:)`.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

extension URL {
    /// The program's documents directory, in its home.
    public static var documentsDirectory: URL { directory(.documentDirectory) }
    /// The program's library directory, in its home.
    public static var libraryDirectory: URL { directory(.libraryDirectory) }
    /// The program's cache directory, in its home.
    public static var cachesDirectory: URL { directory(.cachesDirectory) }
    /// The program's directory for other data, in its home.
    public static var applicationSupportDirectory: URL { directory(.applicationSupportDirectory) }

    private static func directory(_ kind: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: kind, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser
    }
}
