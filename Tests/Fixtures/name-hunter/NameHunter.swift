import Contract
import ExtensionLink
package import JSON

/// A program that tries to learn names it was not given: it calls every method with each of its texts in
/// every place that takes text, and keeps all answers.
package struct NameHunter {
    package typealias Call = (_ method: String, _ params: RawJSON) -> [UInt8]

    /// Its own tokens, which it may have, and its guesses; tokens begin with `token:`.
    private let words: [String]
    private let call: Call
    /// All bytes that came back.
    package private(set) var seen: [String] = []

    /// - Parameter call: the answer's bytes, of an error too.
    package init(words: [String], call: @escaping Call) {
        self.words = words
        self.call = call
    }

    package mutating func hunt() {
        speak("hello", #"{"tokens":false}"#)
        for method in Registry.commonMethods + Registry.methods { attack(method) }
        pair()
        attack(DescribeTokens.self)
        attack(NameTokens.self)
        hide()
        // Everything again, after its texts are stored wherever possible.
        for method in Registry.commonMethods + Registry.methods where method.effect == .read {
            attack(method)
        }
        speak("hello", #"{"tokens":true}"#)
    }

    private mutating func speak(_ method: String, _ params: String) {
        // Written here, so it is JSON.
        guard let raw = try? RawJSON(bytes: Array(params.utf8)) else { return }
        seen.append(String(decoding: call(method, raw), as: UTF8.self))
    }

    private mutating func attack(_ method: any Method.Type) {
        for params in Self.attacks(method, words) {
            seen.append(String(decoding: call(method.name, params), as: UTF8.self))
        }
    }

    private static func attacks<M: Method>(_ method: M.Type, _ words: [String]) -> [RawJSON] {
        var count = Counter()
        var sample = M.Params()
        // Counting throws nothing.
        try? sample.fields(&count)
        var made = [RawJSON(encoding: M.Params())]
        for word in words {
            for index in 0..<count.places {
                var filler = Filler(word: word, only: index)
                var params = M.Params()
                // Filling throws nothing.
                try? params.fields(&filler)
                made.append(RawJSON(encoding: params))
            }
        }
        return made
    }

    /// Sends a text in an invalid way, so that the error repeats it, beside a token: whether the token stands
    /// for that text must make no difference.
    private mutating func pair() {
        let schedule = #""schedule":{"intervalStart":{"hour":0},"intervalEnd":{"hour":12},"repeats":true}"#
        for token in words where token.hasPrefix("token:") {
            for guess in words where !guess.hasPrefix("token:") {
                for list in ["applications", "categories", "webDomains"] {
                    let event = #"{"name":"\#(guess)","\#(list)":["\#(token)"],"threshold":{"minute":5}}"#
                    let activity = #"{"name":"\#(guess)",\#(schedule),"events":[\#(event)]}"#
                    let twice = #"{"name":"a",\#(schedule),"events":[\#(event),\#(event)]}"#
                    speak("monitoring.start", #"{"activities":[\#(twice)]}"#)
                    speak("monitoring.start", #"{"activities":[\#(activity),\#(activity)]}"#)
                    let long = String(repeating: guess + " ", count: 40)
                    speak(
                        "monitoring.start",
                        #"{"activities":[{"name":"\#(long)",\#(schedule),"events":[\#(event)]}]}"#)
                    speak("monitoring.stop", #"{"names":["\#(guess)","\#(guess)"]}"#)
                }
                let other = #"{"key":"\#(guess)","value":"\#(guess)"}"#
                for key in ["shield.applications", "shield.webDomains", guess] {
                    let setting = #"{"key":"\#(key)","value":["\#(token)"]}"#
                    for settings in [setting + "," + setting, setting + "," + other] {
                        speak("settings.write", #"{"store":"\#(guess)","settings":[\#(settings)]}"#)
                    }
                }
                for list in ["applications", "categories", "web_domains"] {
                    let long = String(repeating: guess + " ", count: 40)
                    speak("selection.set", #"{"name":"\#(long)","\#(list)":["\#(token)"]}"#)
                    speak("selection.set", #"{"name":"\#(guess)\u0007","\#(list)":["\#(token)"]}"#)
                }
            }
        }
    }

    /// Stores its texts, to read them back.
    private mutating func hide() {
        let lists = words.map { #"["\#($0)"]"# }
        for (index, list) in lists.enumerated() {
            let word = words[index]
            let values =
                [
                    "shield.applications", "shield.webDomains", "application.blockedApplications",
                    "application.blockedApplicationsByName", "allow.applications", "allow.webDomains",
                    "allow.categories", "unknown.setting",
                ].map { ($0, list) }
                + ["shield.applicationCategories", "shield.webDomainCategories", "webContent.blockedByFilter"]
                .flatMap { key in
                    ["categories", "domains", "except", "domainsByName", "exceptByName", "other"].map {
                        (key, #"{"policy":"specific","categories":[],"domains":[],"\#($0)":\#(list)}"#)
                    }
                }
            for (place, (key, value)) in values.enumerated() {
                let setting = #"[{"key":"\#(key)","value":\#(value)}]"#
                speak("settings.write", #"{"store":"hunt-\#(index)-\#(place)","settings":\#(setting)}"#)
                speak("settings.read", #"{"store":"hunt-\#(index)-\#(place)"}"#)
                speak("settings.write", #"{"store":"hunt","settings":[],"expected":\#(setting)}"#)
            }
            let lists = #""applications":\#(list),"categories":\#(list),"webDomains":\#(list)"#
            let event =
                #"{"name":"\#(word)",\#(lists),"except":{\#(lists)},"threshold":{"minute":1},"#
                + #""message":"\#(word)"}"#
            let schedule =
                #"{"intervalStart":{"hour":0,"minute":0},"intervalEnd":{"hour":23,"minute":59},"#
                + #""repeats":true}"#
            for event in [event, #"{"name":"\#(word)","threshold":{"minute":1}}"#] {
                speak(
                    "monitoring.start",
                    #"{"activities":[{"name":"\#(word)","schedule":\#(schedule),"events":[\#(event)]}]}"#)
            }
            speak(
                "selection.set",
                #"{"name":"\#(word)","applications":\#(list),"categories":\#(list),"web_domains":\#(list)}"#)
            speak("selection.set", #"{"name":"hunt","applications":\#(list)}"#)
            speak("selection.set", #"{"name":"hunt","categories":\#(list)}"#)
            speak("selection.set", #"{"name":"hunt","web_domains":\#(list)}"#)
            speak(
                "notification.post",
                #"{"identifier":"\#(word)","title":"\#(word)","body":"\#(word)","subtitle":"\#(word)"}"#)
            for category in ["social", "games", "other"] {
                speak("shield.explain", #"{"subject":"\#(word)","category":"\#(category)"}"#)
            }
        }
    }
}

/// How many places for text there are.
private struct Counter: FieldVisitor {
    var places = 0

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        var places = Filler(word: "", only: -1)
        places.fill(&value)
        self.places += places.place
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        guard var sample = Samples.of(T.self) else { return }
        field(name, &sample, doc)
    }
}

/// Writes a word into one place for text; the other places keep what they have.
private struct Filler: FieldVisitor {
    let word: String
    let only: Int
    var place = 0

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        fill(&value)
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        guard var sample = Samples.of(T.self) else { return }
        let before = place
        fill(&sample)
        if (before..<place).contains(only) { value = sample }
    }

    mutating func fill<T: FieldValue>(_ value: inout T) {
        if T.self == String.self {
            put(&value, word)
        } else if T.self == [String].self {
            put(&value, [word])
        } else if T.self == JSONValue.self {
            put(&value, JSONValue.array([.string(word)]))
        } else if var list = value as? any RecordList {
            let before = place
            list.fillFirst(&self)
            if (before..<place).contains(only), let filled = list as? T { value = filled }
        } else if var record = value as? any Record {
            // Filling throws nothing.
            try? record.fields(&self)
            // The same type that it had.
            if let filled = record as? T { value = filled }
        }
    }

    private mutating func put<T, V>(_ value: inout T, _ new: V) {
        if place == only, let new = new as? T { value = new }
        place += 1
    }
}

/// A list of records, of which it fills one.
private protocol RecordList {
    mutating func fillFirst(_ filler: inout Filler)
}

extension Array: RecordList where Element: Record {
    fileprivate mutating func fillFirst(_ filler: inout Filler) {
        if isEmpty { append(Element()) }
        // Filling throws nothing.
        try? self[0].fields(&filler)
    }
}

private protocol EmptyList { init() }
extension Array: EmptyList where Element: Record {}

private enum Samples {
    static func of<T: FieldValue>(_ type: T.Type) -> T? {
        if type == String.self { return "" as? T }
        if type == [String].self { return [String]() as? T }
        if type == JSONValue.self { return JSONValue.null as? T }
        if let record = type as? any Record.Type { return record.init() as? T }
        if let list = type as? any EmptyList.Type { return list.init() as? T }
        return nil
    }
}
