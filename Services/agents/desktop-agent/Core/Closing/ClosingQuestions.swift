import Loop

/// Finds the windows in which apps that are being closed ask something: dialogs, which the person may use.
@LoopActor struct ClosingQuestions {
    let session: X11Session

    /// The app that asks something with a new window: a dialog of its processes or of its windows, whatever
    /// it calls itself.
    /// - Parameter isFree: whether nothing that is shielded owns the window.
    func asker(
        of window: Window, _ identity: AppIdentity, among apps: [ShieldedApp], isFree: Bool
    ) -> ShieldedApp? {
        apps.first { app in
            guard let closing = app.closing, closing.mayAsk else { return false }
            let others = app.windows.union(closing.questions)
            return app.id == identity.id || app.owns(window)
                ? session.isDialog(window.id, of: others)
                : isFree && session.isTransient(window.id, for: others)
        }
    }

    /// The app whose covered window has become a dialog.
    func asker(of covered: UInt32, among apps: [ShieldedApp]) -> ShieldedApp? {
        apps.first { app in
            guard let closing = app.closing, closing.mayAsk, app.windows.contains(covered)
            else { return false }
            let others = app.windows.subtracting([covered]).union(closing.questions)
            return session.isDialog(covered, of: others)
        }
    }

    /// Whether a window is left to the person. One of another app that is shielded since is not any more.
    /// - Parameter isFree: as above.
    func isLeft(
        _ window: Window, _ identity: AppIdentity, among apps: [ShieldedApp], isFree: Bool
    ) -> Bool {
        let asker = apps.first { $0.closing?.questions.contains(window.id) == true }
        guard let asker else { return false }
        if asker.id == identity.id || asker.owns(window) || isFree { return true }
        asker.closing?.windowClosed(window.id)
        return false
    }
}
