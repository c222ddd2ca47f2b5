internal import Contract

/// What a stranger has to know to write a client, in CommonMark: `info.description` of the document.
enum Prose {
    static let text = """
        Independent services measure the use of apps and web sites, watch limits, shield, notify and \
        report. They speak JSON over ZeroMQ, without a broker. This document is made from the code and is \
        all a client needs. It is written from the client's side: `send` is what a client sends, `receive` \
        what it gets.

        ## Connecting

        Every service has two ipc endpoints in the runtime directory (`$SCREENTIME_RUNTIME_DIR`, else \
        `$XDG_RUNTIME_DIR/screentime`, else `/run/screentime`): `ipc://<runtime \
        directory>/<service>.requests`, a ROUTER to which a client connects a DEALER or a REQ, and \
        `ipc://<runtime directory>/<service>.events`, an XPUB to which it connects a SUB. Who is connected \
        is told by the kernel: only processes of the uid that runs the services are served, others are \
        answered `wrongUser`. A request of more than `message_bytes_max` bytes is answered \
        `messageTooLong`, one of more than twice as many closes the connection without an answer; ZeroMQ \
        connects again by itself. All names and numbers are under `x-services`, \
        `x-hands` (processes without state, which answer only for themselves), `x-zeromq`, `x-limits`, \
        `x-errors` and `x-counters`.

        JSON is strict RFC 8259 in UTF-8: no byte order mark, no duplicate keys, nothing after the value, \
        depth at most `json_depth_max`, integers within 64 bits. Ignore members of answers and events \
        that you do not know; a request with a member or parameter that its schema does not name is refused, \
        at any depth. Leave out what is absent (null means the same). Names ending in `_ms` are \
        milliseconds; instants are UTC milliseconds since 1970.

        ## Requests

        One body frame holds a JSON-RPC 2.0 request, see the schema `Request`; an array of requests is a \
        batch. A REQ socket sends an empty frame before it by itself, and gets one before the answer; a \
        DEALER sends none. Answers come in any order: match them by `id`. A request without `id` is a \
        notification and is never answered.

        - `deadline`: milliseconds you will wait, from receipt; default `request_deadline_ms`. Stop \
        waiting by your own clock; the answer may be lost with a service that dies.
        - `idempotency_key`: every operation with `x-effect: write` needs one, unique to the attempt. When \
        no answer came, send the same request with the same key again, as often as you like: it is done \
        once, and for `answers_kept_ms` the repeat gets the first answer. `privacy.forget`, whose answer \
        names what went, `backup.hold` and `backup.copy` are done again after their end instead. Another \
        request under a used key is `idempotencyConflict`; the keys of the two of a backup are free again \
        when they end.
        - `client`: the bundle id of the app you speak for, for example `org.example.focus`. Without it \
        you speak for the person of the uid. Within one uid this is attribution, not security. `x-access` \
        of an operation says who may: see `x-access` at the end of this document. A client first calls \
        `authorization.request` with a long deadline; it is answered when the person decides, or \
        `authorizationCanceled`.
        - `not_before`: for reads, positions that must have been taken in first. The answer to a write \
        carries `sequence`, the head of its owner's log; pass `{"service": <owner>, "sequence": <it>}` to \
        the next read of any service and you see your own write.
        - `traceparent`: W3C trace context. The spans that follow, in every service, have its trace id; \
        read them with `trace.read` (as the person), or subscribe to `~trace`.

        A refusal is an `error` with a stable `code` and `data.name` (see `x-errors`): branch on these, \
        never on words; `data.remedy` says what to do. Bytes that are no request are answered with `id` \
        null.

        ## Events

        Two frames: the topic, which is the event's `type`, and a CloudEvents 1.0 event. `source` is \
        `/<instance>/<log epoch>/<service>`. `sequence` counts all events of the source without a gap from \
        1; `previous` is the sequence of the source's last event of the same type, \
        `\(SequenceText(0).text)` if there was none. Both are 20 decimal digits. `data` is absent when \
        personal data was deleted. Subscriptions match by prefix; ignore types you do not know.

        ## Missing nothing

        The live stream is a hint, the owner's log is the truth. Keep per service the log epoch (the \
        second part of `source`), a cursor (every wanted event up to this sequence has been taken in; 0 at \
        first) and, per type, the sequence of the last event taken in. Keep them together with what the \
        events did to you, in one transaction.

        1. Subscribe to the types you want and to `~sync.<id>`, with an id of your own, then connect. \
        ZeroMQ repeats the subscriptions after every reconnect, sorted, so that `~sync` comes last.
        2. After each connect the service answers on the topic `~sync.<id>` with `source` and `head`, the \
        end of its log. Hold the live events until then. No answer within `sync_retry_ms`: unsubscribe, \
        and subscribe to a fresh `~sync.<id>`. A connection may have `sync_topics_per_connection_max` of \
        them at a time. What is neither a type, such a topic, nor the beginning of one is not taken.
        3. Another epoch than yours: the log is a new one. Forget what you built from the old one; cursor \
        0. A head before your cursor: the database was restored from a backup; stop and tell the person.
        4. While the cursor is before the head, call `events.read` with `after`: the cursor, and `types`: \
        those you want. Take the events in; the cursor is then `through` of the answer.
        5. Answered `logTrimmed`: call `events.snapshot`, then again with its `next_page` and `through` \
        until there is no `next_page`. Forget what you built, take these events as the present state; the \
        cursor is `through`. Go on with 4.
        6. Now take the held and the live events. Skip one whose `sequence` is not after the cursor or not \
        after the last one of its type: you have it.
        7. A live event whose `previous` is after both the last one of its type and the cursor tells of a \
        gap: you missed events of this type. Call `events.read` with `after`: the greater of these two, \
        and `types`: this type, until `through` reaches `previous`; take these in, then the event.
        8. The end of a burst can be lost without a later event to tell. Whenever you drained half of your \
        receive high-water mark or more in one go, and whenever you must be sure, unsubscribe from \
        `~sync.<id>`, subscribe to a fresh one, and go on with 2.
        """
}
