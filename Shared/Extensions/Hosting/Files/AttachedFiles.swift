import Contract
import JSON
import Loop

/// What a confined program attaches to a notification: files of its own. Whoever shows them is not confined.
@LoopActor struct AttachedFiles {
    let program: ExtensionRecord
    let files: HostFiles

    /// The request without attachments that are none of its own: what it says matters more.
    /// - Parameter left: hears of each that is left out.
    /// - Returns: what cannot be read as it is: the service that is asked refuses it.
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

    /// By either path, where the state directory is reached by a link: a program knows itself by the real
    /// one.
    private var places: [String] {
        let written =
            [program.path, files.path(container: program.id)] + (program.groups ?? []).map(files.path(group:))
        return written + written.compactMap(realPath)
    }
}
