import JSON
import Units

/// An event as the bus carries it: 9 strings, an integer, a boolean, a number.
struct Envelope: Record {
    var specversion = ""
    var id = ""
    var source = ""
    var type = ""
    var time = ""
    var traceparent = ""
    var app = ""
    var title = ""
    var device = ""
    var start: Instant = 0
    var isIdle = false
    var share = 0.0

    mutating func fields<V: FieldVisitor>(_ v: inout V) throws(JSONError) {
        try v.field("specversion", &specversion, "the version of CloudEvents")
        try v.field("id", &id, "unique per source")
        try v.field("source", &source, "instance, epoch and service")
        try v.field("type", &type, "what happened")
        try v.field("time", &time, "when, in RFC 3339")
        try v.field("traceparent", &traceparent, "W3C trace context")
        try v.field("app", &app, "the app's id")
        try v.field("title", &title, "the window's title")
        try v.field("device", &device, "which device")
        try v.field("start_ms", &start, "when the use began")
        try v.field("is_idle", &isIdle, "whether nobody was there")
        try v.field("share", &share, "of the day")
    }

    static let sample = {
        var event = Envelope()
        event.specversion = "1.0"
        event.id = "01JD3Q9V7M8Z5T2K4R6W8X0Y1B"
        event.source = "/home-1/01JD3Q9V7M/activity-center"
        event.type = "usage.recorded"
        event.time = "2026-11-20T05:12:17.123Z"
        event.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        event.app = "org.mozilla.firefox"
        event.title = "Zürich weather – search results"
        event.device = "laptop-living-room"
        event.start = 1_795_151_537_123
        event.isIdle = false
        event.share = 0.3125
        return event
    }()

    static let sampleText = """
        {"specversion":"1.0","id":"01JD3Q9V7M8Z5T2K4R6W8X0Y1B","source":"/home-1/01JD3Q9V7M/activity-center",\
        "type":"usage.recorded","time":"2026-11-20T05:12:17.123Z",\
        "traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","app":"org.mozilla.firefox",\
        "title":"Zürich weather – search results","device":"laptop-living-room","start_ms":1795151537123,\
        "is_idle":false,"share":0.3125}
        """
}

enum Colour: String, NameEnum {
    case red, green
    case darkBlue = "dark-blue"
}

struct Leaf: Record {
    var name = ""
    var colour: Colour?

    mutating func fields<V: FieldVisitor>(_ v: inout V) throws(JSONError) {
        try v.field("name", &name, "what it is called")
        try v.field("colour", &colour, "how it looks")
    }
}

/// One of everything; it contains itself.
struct Tree: Record {
    var id: UInt64 = 0
    var size = 0
    var weight = 0.0
    var leaves: [Leaf] = []
    var notes: [String: String] = [:]
    var extra: JSONValue?
    var data: RawJSON?
    var children: [Tree]?

    mutating func fields<V: FieldVisitor>(_ v: inout V) throws(JSONError) {
        try v.field("id", &id, "unique")
        try v.field("size", &size, "in bytes")
        try v.field("weight", &weight, "in grams")
        try v.field("leaves", &leaves, "what hangs on it")
        try v.field("notes", &notes, "by author")
        try v.field("extra", &extra, "anything")
        try v.field("data", &data, "passed on unread")
        try v.field("children", &children, "smaller trees")
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// The code with which `type` refuses `input`; nil when it takes it.
func refusal<T: FieldValue>(_ input: String, as type: T.Type = JSONValue.self) -> JSONError.Code? {
    refusal(bytes(input), as: type)
}

func refusal<T: FieldValue>(_ input: [UInt8], as type: T.Type = JSONValue.self) -> JSONError.Code? {
    do {
        _ = try T.decode(input)
        return nil
    } catch { return error.code }
}
