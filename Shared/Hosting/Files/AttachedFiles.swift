import Bus
import Contract
import JSON

/// What a confined program attaches to a notification: files of its own. Whoever shows them is not confined.
@BusActor struct AttachedFiles {
    let program: ExtensionRecord
    let files: HostFiles

    /// - Throws: `accessDenied` for a path that is none of its own. What cannot be read is refused by the
    ///   service that is asked.
    func check(_ params: RawJSON, of method: any Method.Type) throws(ServiceError) {
        guard method.name == NotificationPost.name,
            let posted = try? NotificationPost.Params.decode(params.bytes)
        else { return }
        let own = places
        for attachment in posted.details?.attachments ?? []
        where !own.contains(where: { attachment.path.hasPrefix($0 + "/") }) {
            throw ServiceError(
                .accessDenied, "'\(attachment.path)' is no file of the extension '\(program.id)'",
                remedy: "Attach a file of its bundle, its container or an app group of its entitlements.")
        }
    }

    private var places: [String] {
        [program.path, files.path(container: program.id)] + (program.groups ?? []).map(files.path(group:))
    }
}
