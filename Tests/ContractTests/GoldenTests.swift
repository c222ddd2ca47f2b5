import Contract
import JSON
import Testing

/// The exact bytes of a few messages: the wire format must not change by accident.
@Suite struct GoldenTests {
    private func text(_ value: some FieldValue) -> String { String(decoding: value.encoded(), as: UTF8.self) }

    @Test func aRequest() throws {
        var request = Request()
        request.id = RawJSON(encoding: Int64(7))
        request.method = UsageObserve.name
        request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        request.deadline = 1_000
        request.idempotencyKey = "k-1"
        request.client = "org.example.focus"
        request.notBefore = [Position(.auth, 3)]
        request.params = RawJSON(
            encoding: UsageObserve.Params(
                device: "laptop",
                observations: [Observation(at: 1_700_000_000_000, kind: .focus, app: "firefox")]))
        let golden =
            #"{"jsonrpc":"2.0","id":7,"method":"usage.observe","#
            + #""traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","deadline":1000,"#
            + #""idempotency_key":"k-1","client":"org.example.focus","#
            + #""not_before":[{"service":"auth-service","sequence":3}],"params":{"device":"laptop","#
            + #""observations":[{"at_ms":1700000000000,"kind":"focus","app":"firefox"}]}}"#
        #expect(text(request) == golden)
        #expect(try Request.decode(Array(golden.utf8)) == request)
    }

    @Test func anAnswerAndARefusal() throws {
        let error = ErrorObject(ServiceError(.notFound, "No 'x'.", remedy: "List them."))
        #expect(
            text(error)
                == #"{"code":-32018,"message":"No 'x'.","data":{"name":"notFound","remedy":"List them."}}"#
        )
        #expect(
            text(UsageObserve.Result(accepted: 2, duplicates: 1, sequence: 9))
                == #"{"accepted":2,"duplicates":1,"sequence":9}"#)
    }

    @Test func anEvent() throws {
        var head = EventHead()
        head.type = EventDidReachThreshold.type
        head.source = "/local/ab12/activity-center"
        head.id = "12"
        head.time = UTCTime.text(1_700_000_000_123)
        head.sequence = SequenceText(12)
        head.previous = SequenceText(4)
        head.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let golden =
            #"{"specversion":"1.0","type":"activity.eventDidReachThreshold","#
            + #""source":"/local/ab12/activity-center","id":"12","time":"2023-11-14T22:13:20.123Z","#
            + #""sequence":"00000000000000000012","previous":"00000000000000000004","#
            + #""traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}"#
        let deleted = Event<EventDidReachThreshold>(head, nil)
        #expect(text(deleted) == golden)
        #expect(try Event<EventDidReachThreshold>.decode(Array(golden.utf8)) == deleted)
        let null = golden.dropLast() + #","data":null}"#
        #expect(try Event<EventDidReachThreshold>.decode(Array(null.utf8)) == deleted)
    }

    @Test func theHeadOfALog() {
        #expect(
            text(SyncHead(source: "/local/ab12/notifier", head: SequenceText(5)))
                == #"{"source":"/local/ab12/notifier","head":"00000000000000000005"}"#)
    }
}
