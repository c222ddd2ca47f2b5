import JSON
import Testing

@Suite struct SchemaTests {
    @Test func aRecordDescribesItselfAndWhatItContains() throws {
        var builder = SchemaBuilder()
        let reference = builder.record(Tree.self)
        #expect(text(reference.encoded()) == ##"{"$ref":"#/$defs/Tree"}"##)
        #expect(builder.definitions.map(\.0) == ["Tree", "Leaf"])
        let golden = ##"""
            {"title":"Tree","type":"object","properties":{\##
            "id":{"type":"integer","format":"uint64","minimum":0,"description":"unique"},\##
            "size":{"type":"integer","format":"int64","minimum":-9007199254740991,\##
            "maximum":9007199254740991,"description":"in bytes"},\##
            "weight":{"type":"number","description":"in grams"},\##
            "leaves":{"type":"array","items":{"$ref":"#/$defs/Leaf"},"description":"what hangs on it"},\##
            "notes":{"type":"object","additionalProperties":{"type":"string"},"description":"by author"},\##
            "extra":{"description":"anything"},"data":{"description":"passed on unread"},\##
            "children":{"type":"array","items":{"$ref":"#/$defs/Tree"},"description":"smaller trees"}},\##
            "required":["id","size","weight","leaves","notes"]}
            """##
        #expect(text(try #require(builder.definitions.first).1.encoded()) == golden)
    }

    @Test func theReferencesFollowThePrefix() throws {
        var builder = SchemaBuilder(prefix: "#/components/schemas/")
        _ = builder.record(Leaf.self)
        #expect(builder.record(Leaf.self)["$ref"]?.stringValue == "#/components/schemas/Leaf")
        #expect(builder.definitions.count == 1)
        let leaf = try #require(builder.definitions.first).1
        let colour = leaf["properties"]?["colour"]
        #expect(colour?["enum"] == ["red", "green", "dark-blue"])
        #expect(colour?["description"]?.stringValue == "how it looks")
        #expect(leaf["required"] == ["name"])
    }
}
