import JSON
import Testing

@Suite struct RecordTests {
    @Test func writesTheFieldsInTheirOrder() {
        #expect(text(Envelope.sample.encoded()) == Envelope.sampleText)
    }

    @Test func readsWhatItWrote() throws {
        #expect(try Envelope.decode(Envelope.sample.encoded()) == Envelope.sample)
    }

    @Test func everyKindOfFieldSurvives() throws {
        var tree = Tree()
        tree.id = .max
        tree.size = -9_007_199_254_740_991
        tree.weight = -0.1
        var leaf = Leaf()
        leaf.name = "a\"b\\c\n\u{1}/é🎉"
        leaf.colour = .darkBlue
        tree.leaves = [leaf, Leaf()]
        tree.notes = ["zoe": "z", "adam": "a"]
        tree.extra = ["list": [1, 2.5, nil, true, "x"]]
        tree.data = try RawJSON(bytes: bytes(" {\"any\" : [1.50]} "))
        tree.children = [Tree()]
        let golden = #"""
            {"id":18446744073709551615,"size":-9007199254740991,"weight":-0.1,\#
            "leaves":[{"name":"a\"b\\c\n\u0001/é🎉","colour":"dark-blue"},{"name":""}],\#
            "notes":{"adam":"a","zoe":"z"},\#
            "extra":{"list":[1,2.5,null,true,"x"]},\#
            "data":{"any" : [1.50]},"children":[{"id":0,"size":0,"weight":0.0,"leaves":[],"notes":{}}]}
            """#
        #expect(text(tree.encoded()) == golden)
        #expect(try Tree.decode(tree.encoded()) == tree)
    }
}
