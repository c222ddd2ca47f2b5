public import Foundation

/// Called at the end of every program that is linked with this module: brings `UserDefaults.standard` to the
/// disk, in the program's home, which for an extension is its own container. A program that is killed loses
/// what it wrote there since it began or last called `synchronize()`; app groups lose nothing.
@_cdecl("screentime_save_defaults")
func saveStandardDefaults() { UserDefaults.standard.synchronize() }

extension UserDefaults {
    /// The same as `object(forKey:)`; of key-value coding there is no more than this and `setValue`.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
    /// The same as `set(_:forKey:)`.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

extension URL {
    /// The program's documents, caches and other files, in its home.
    public static var documentsDirectory: URL { directory(.documentDirectory) }
    public static var libraryDirectory: URL { directory(.libraryDirectory) }
    public static var cachesDirectory: URL { directory(.cachesDirectory) }
    public static var applicationSupportDirectory: URL { directory(.applicationSupportDirectory) }

    private static func directory(_ kind: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: kind, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser
    }
}
