import CGtk4
import Contract
import Loop

/// The page of a cover on which the person asks for more time: for what, why, and how long.
@LoopActor final class AskPage {
    let widget: Widget
    /// Called with what the person chose.
    var onChoice: (@LoopActor (AskAction) -> Void)?
    /// Called when the person leaves it.
    var onBack: (@LoopActor () -> Void)?
    /// Called when the focus goes on from the reason to the lengths.
    var onWritten: (@LoopActor () -> Void)?

    private let subjects: Widget
    private let reason: Widget
    private let lengths: Widget
    private let foot: Widget
    private let minute: Widget
    private let back: Widget
    private var lengthButtons: [Widget] = []
    private var choices: [AskFace.Choice] = []
    private var chosen = 0
    private var language: String?

    init() {
        func box(_ orientation: GtkOrientation) -> Widget { GTK.made(gtk_box_new(orientation, 0)) }
        widget = box(GTK_ORIENTATION_VERTICAL)
        (subjects, lengths) = (box(GTK_ORIENTATION_HORIZONTAL), box(GTK_ORIENTATION_HORIZONTAL))
        foot = box(GTK_ORIENTATION_HORIZONTAL)
        reason = GTK.made(gtk_entry_new())
        minute = GTK.labelled("secondary")
        back = GTK.labelled("plain")
        gtk_widget_add_css_class(widget, "page")
        gtk_entry_set_max_length(GTK.cast(reason), gint(AskReason.charactersMax))
        gtk_entry_set_input_hints(GTK.cast(reason), GTK_INPUT_HINT_NO_EMOJI)
        // As wide as the column allows, not as wide as 20 characters at least.
        gtk_editable_set_width_chars(OpaquePointer(reason), 8)
        for part in [subjects, reason, lengths, foot] { gtk_box_append(GTK.cast(widget), part) }
        for row in [subjects, lengths, foot] { gtk_box_set_homogeneous(GTK.cast(row), 1) }
        for minutes in AskWords.lengths {
            let button = GTK.labelled("secondary")
            lengthButtons.append(button)
            gtk_box_append(GTK.cast(lengths), button)
            GTK.connect(button, "clicked") { [weak self] in self?.ask(minutes) }
        }
        for button in [minute, back] { gtk_box_append(GTK.cast(foot), button) }
        GTK.connect(minute, "clicked") { [weak self] in self?.takeMinute() }
        GTK.connect(back, "clicked") { [weak self] in self?.onBack?() }
        // Enter goes on to the lengths: none of them is the obvious one.
        GTK.connect(reason, "activate") { [weak self] in self?.goOn() }
    }

    // MARK: content

    /// Returns whether what was chosen can still be asked for.
    func set(_ choices: [AskFace.Choice], words: Words) -> Bool {
        if language != words.language {
            language = words.language
            for (button, minutes) in zip(lengthButtons, AskWords.lengths) {
                GTK.setLabel(button, words.ask.length(minutes))
            }
            GTK.setLabel(minute, words.ask.minute)
            GTK.setLabel(back, words.ask.back)
            gtk_entry_set_placeholder_text(GTK.cast(reason), words.ask.reason)
            GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: reason, words.ask.reason)
        }
        guard choices != self.choices else { return true }
        let before = self.choices.map(\.subject), now = choices.map(\.subject), last = choice?.subject
        self.choices = choices
        defer { showMinute() }
        guard before != now else { return true }
        // The first one is the app or site itself.
        let isSame = before.first == now.first
        if !isSame { clear() }
        let kept = now.firstIndex { $0 == last }
        chosen = kept ?? 0
        let hadFocus = gtk_widget_get_focus_child(subjects) != nil
        fillSubjects()
        if hadFocus { focus() }
        return isSame && kept != nil
    }

    private func fillSubjects() {
        while let child = gtk_widget_get_first_child(subjects) { gtk_box_remove(GTK.cast(subjects), child) }
        gtk_widget_set_visible(subjects, choices.count > 1 ? 1 : 0)
        guard choices.count > 1 else { return }
        var group: Widget?
        for (index, choice) in choices.enumerated() {
            let toggle = GTK.made(gtk_toggle_button_new())
            GTK.style(toggle, "choice")
            // GTK 4.8 would call it a button, which does not say that it is one of several.
            GTK.setRole(GTK_ACCESSIBLE_ROLE_RADIO, of: toggle)
            GTK.setChecked(index == chosen, of: toggle)
            GTK.setLabel(toggle, choice.text)
            if let group { gtk_toggle_button_set_group(GTK.cast(toggle), GTK.cast(group)) }
            group = group ?? toggle
            gtk_toggle_button_set_active(GTK.cast(toggle), index == chosen ? 1 : 0)
            GTK.connect(toggle, "toggled") { [weak self] in
                let isChosen = gtk_toggle_button_get_active(GTK.cast(toggle)) != 0
                GTK.setChecked(isChosen, of: toggle)
                guard let self, isChosen else { return }
                chosen = index
                showMinute()
            }
            gtk_box_append(GTK.cast(subjects), toggle)
        }
    }

    private var choice: AskFace.Choice? { choices.indices.contains(chosen) ? choices[chosen] : nil }

    private func showMinute() { gtk_widget_set_visible(minute, choice?.hasMinute == true ? 1 : 0) }

    /// Forgets what was typed.
    func clear() { gtk_editable_set_text(OpaquePointer(reason), "") }

    /// What is typed is the reason: a space would press a button. Nothing that was typed is selected, as the
    /// next letter would replace it.
    func focus() {
        gtk_entry_grab_focus_without_selecting(GTK.cast(reason))
        // Tab, which had the focus go to it before, selects all of it.
        gtk_editable_set_position(OpaquePointer(reason), -1)
    }

    private func goOn() {
        if let first = lengthButtons.first { gtk_widget_grab_focus(first) }
        onWritten?()
    }

    var isEnabled = true {
        didSet { gtk_widget_set_sensitive(widget, isEnabled ? 1 : 0) }
    }

    // MARK: choices

    private func ask(_ minutes: Int64?) {
        guard let choice else { return }
        let typed = gtk_editable_get_text(OpaquePointer(reason)).map { String(cString: $0) } ?? ""
        onChoice?(.more(choice.subject, minutes: minutes, reason: AskReason.line(typed)))
    }

    private func takeMinute() {
        if let choice { onChoice?(.minute(choice.subject)) }
    }

    // MARK: layout

    /// Rows whose buttons do not fit beside each other become columns.
    func fit(width: Int, gap: Int) {
        gtk_box_set_spacing(GTK.cast(widget), gint(max(5, gap * 2 / 3)))
        for row in [subjects, lengths, foot] {
            gtk_box_set_spacing(GTK.cast(row), gint(max(5, gap * 2 / 3)))
            let orientable = OpaquePointer(row)
            gtk_orientable_set_orientation(orientable, GTK_ORIENTATION_HORIZONTAL)
            var natural: gint = 0
            gtk_widget_measure(row, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
            if Int(natural) > width { gtk_orientable_set_orientation(orientable, GTK_ORIENTATION_VERTICAL) }
        }
    }
}
