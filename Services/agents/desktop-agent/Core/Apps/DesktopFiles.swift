import CGio

/// The installed apps, read through GIO, which knows directories, languages and overrides.
enum DesktopFiles {
    /// All apps, sorted by id so that the result is deterministic. Takes some ms on a full desktop.
    static func readAll() -> [AppEntry] {
        var entries: [AppEntry] = []
        let all = g_app_info_get_all()
        defer { g_list_free(all) }
        var link = all
        while let node = link {
            link = node.pointee.next
            guard let data = node.pointee.data else { continue }
            defer { g_object_unref(data) }
            // On Linux every GAppInfo of this list is a GDesktopAppInfo (documented).
            if let entry = entry(OpaquePointer(data)) { entries.append(entry) }
        }
        return entries.sorted { $0.id < $1.id }
    }

    private static func entry(_ info: OpaquePointer) -> AppEntry? {
        guard let fileID = g_app_info_get_id(info) else { return nil }
        let id = String(cString: fileID)
        let suffix = ".desktop"
        let categories = g_desktop_app_info_get_categories(info).map { String(cString: $0) } ?? ""
        let command = g_app_info_get_commandline(info).map { String(cString: $0) } ?? ""
        let word = AppEntry.programWord(ofCommand: command)
        return AppEntry(
            id: id.hasSuffix(suffix) ? String(id.dropLast(suffix.count)) : id,
            name: g_app_info_get_display_name(info).map { String(cString: $0) } ?? id,
            startupClass: g_desktop_app_info_get_startup_wm_class(info).map { String(cString: $0) },
            program: AppEntry.program(ofCommand: command),
            programPath: word.flatMap { $0.hasPrefix("/") ? $0 : Self.find($0) },
            categories: categories.split(separator: ";").map { String($0) },
            icon: icon(info), isHidden: g_desktop_app_info_get_nodisplay(info) != 0)
    }

    /// Path of a program by PATH; nil if not found.
    private static func find(_ name: String) -> String? {
        guard let path = g_find_program_in_path(name) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }

    private static func icon(_ info: OpaquePointer) -> String? {
        guard let icon = g_app_info_get_icon(info), let text = g_icon_to_string(icon) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
