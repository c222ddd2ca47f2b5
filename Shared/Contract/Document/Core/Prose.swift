internal import Contract

/// What one has to know to write a client, in CommonMark: `info.description` of the document.
enum Prose {
    static let text = """
        Independent services measure the use of apps and web sites, watch limits, shield, notify and \
        report. They exchange JSON over ZeroMQ, without a broker. This document is generated from the code \
        and contains everything a client needs. It is written from the perspective of the client: `send` \
        is what a client sends, `receive` what it receives.

        ## Connecting

        Every service has two ipc endpoints in the runtime directory (`$SCREENTIME_RUNTIME_DIR`, else \
        `$XDG_RUNTIME_DIR/screentime`, else `/run/screentime`): `ipc://<runtime \
        directory>/<service>.requests`, a ROUTER to which a client connects a DEALER or a REQ, and \
        `ipc://<runtime directory>/<service>.events`, an XPUB to which it connects a SUB. The kernel reports \
        the uid of the connected process: only the uid that runs the services is served, others are \
        answered `wrongUser`. A request of more than `message_bytes_max` bytes is answered \
        `messageTooLong`; one of more than twice as many closes the connection without an answer, and \
        ZeroMQ reconnects by itself. All names and numbers are under `x-services`, `x-hands` (agents: \
        processes without state, which answer only for themselves), `x-zeromq`, `x-limits`, `x-errors` \
        and `x-counters`.

        JSON is strict RFC 8259 in UTF-8: no byte order mark, no duplicate keys, nothing after the value, \
        depth at most `json_depth_max`, integers within 64 bits. Ignore unknown members of answers and \
        events. A request with a member or parameter that its schema does not have, at any depth, is \
        refused. Omit absent members (null has the same meaning). Names ending in `_ms` are milliseconds; \
        instants are UTC milliseconds since 1970.

        ## Requests

        One body frame contains a JSON-RPC 2.0 request, see the schema `Request`; an array of requests is a \
        batch. A REQ socket adds an empty frame before it, and receives one before the answer; a \
        DEALER sends none. Answers arrive in any order: match them by `id`. A request without `id` is a \
        notification and is never answered.

        - `deadline`: milliseconds you will wait, from receipt; default `request_deadline_ms`. Measure it \
        with your own clock, too: the answer is lost if the service dies.
        - `idempotency_key`: required for every operation with `x-effect: write`, unique to the attempt. If \
        no answer arrives, send the same request with the same key again, as often as necessary: it is \
        done once, and for `answers_kept_ms` a repeat gets the first answer. Exceptions are \
        `privacy.forget`, whose answer names what was deleted, `backup.hold` and `backup.copy`: they are \
        done again once the first has ended. Another request with a used key is answered \
        `idempotencyConflict`; the keys of the two backup methods can be used again when they end.
        - `client`: the bundle id of the app you speak for, for example `org.example.focus`. Without it \
        you speak for the person of the uid. Within one uid this is attribution, not security. `x-access` \
        of an operation says who may: see `x-access` at the end of this document. A client first calls \
        `authorization.request` with a long deadline; it is answered when the person decides, or \
        `authorizationCanceled`.
        - `not_before`: positions that the service must have applied before it answers. The answer to a \
        write contains `sequence`, the head of its owner's log; pass `{"service": <owner>, "sequence": \
        <it>}` to the next read of any service to read your own write.
        - `traceparent`: W3C trace context. The resulting spans in all services have its trace id; read \
        them with `trace.read` (as the person), or subscribe to `~trace`.

        A refusal is an `error` with a stable `code` and `data.name` (see `x-errors`): branch on these, \
        never on the message; `data.remedy` says what to do. Bytes that are not a request are answered \
        with `id` null.

        ## Events

        Two frames: the topic, which is the event's `type`, and a CloudEvents 1.0 event. `source` is \
        `/<instance>/<log epoch>/<service>`. `sequence` counts all events of the source without a gap from \
        1; `previous` is the sequence of the source's last event of the same type, \
        `\(SequenceText(0).text)` if there was none. Both are 20 decimal digits. `data` is absent when \
        personal data was deleted. Subscriptions match by prefix; ignore types you do not know.

        ## Receiving every event

        The live stream may lose events; the owner's log is authoritative. Store per service the log epoch \
        (the second part of `source`), a cursor (all requested events up to this sequence are applied; \
        initially 0) and, per type, the sequence of the last applied event. Store them in the same \
        transaction as the changes the events cause.

        1. Subscribe to the types you want and to `~sync.<id>`, with an id of your own, then connect. \
        ZeroMQ repeats the subscriptions after every reconnect, sorted, so that `~sync` comes last.
        2. After each connect the service answers on the topic `~sync.<id>` with `source` and `head`, the \
        end of its log. Queue live events until then. Without an answer within `sync_retry_ms`, \
        unsubscribe, and subscribe to a new `~sync.<id>`. A connection may have \
        `sync_topics_per_connection_max` of them at a time. Subscriptions other than event types, these \
        topics and prefixes of them are ignored.
        3. If the epoch differs from the stored one, the log is a new one: discard what you built from the \
        old one and set the cursor to 0. If the head is before your cursor, the database was restored \
        from a backup: stop and notify the person.
        4. While the cursor is before the head, call `events.read` with `after` = the cursor and `types` = \
        the types you want. Apply the events, then set the cursor to `through` of the answer.
        5. If the answer is `logTrimmed`, call `events.snapshot`, and repeat it with its `next_page` and \
        `through` until there is no `next_page`. Discard what you built, apply these events as the present \
        state, and set the cursor to `through`. Continue with 4.
        6. Then apply the queued and the live events. Skip an event whose `sequence` is not after the \
        cursor or not after the last one of its type: it is applied already.
        7. A live event whose `previous` is after both the last one of its type and the cursor indicates a \
        gap: events of this type were lost. Call `events.read` with `after` = the greater of these two and \
        `types` = this type until `through` reaches `previous`; apply these events, then the live one.
        8. The end of a burst can be lost without a later event that reveals it; a full queue of the \
        service, `queued_messages_max` messages, then still arrives. Each time a quarter of as many have \
        arrived, and whenever you need certainty, unsubscribe from `~sync.<id>`, subscribe to a new one, \
        and continue with 2. A head on an earlier `~sync.<id>` may be from before the loss.
        """
}
