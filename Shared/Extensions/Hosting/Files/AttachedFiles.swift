import Contract
import JSON
import Loop

/// Checks files that a confined program attaches to a notification: only its own files are allowed, because
/// the process that shows them is not confined.
@LoopActor struct AttachedFiles {
    let program: ExtensionRecord
    let files: HostFiles

    /// The request without attachments that are not its own files; the rest of the notification matters more.
    /// - Parameter left: called for each omitted attachment.
    /// - Returns: a request that cannot be decoded is returned unchanged, and the service refuses it.
    func own(
        _ params: RawJSON, of method: any Method.Type, left: (NotificationAttachment) -> Void
    ) -> RawJSON {
        guard method.name == NotificationPost.name,
            var posted = try? NotificationPost.Params.decode(params.bytes),
            let attachments = posted.details?.attachments
        else { return params }
        let places = places
        let own = attachments.filter { one in places.contains { one.path.hasPrefix($0 + "/") } }
        guard own.count < attachments.count else { return params }
        for one in attachments where !own.contains(where: { $0.path == one.path }) { left(one) }
        posted.details?.attachments = own.isEmpty ? nil : own
        return RawJSON(encoding: posted)
    }

    /// Both paths, if the state directory is reached through a link: programs use the real one.
    private var places: [String] {
        let written =
            [program.path, files.path(container: program.id)] + (program.groups ?? []).map(files.path(group:))
        return written + written.compactMap(realPath)
    }
}
