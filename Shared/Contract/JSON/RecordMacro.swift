/// Makes a record of a type's stored properties: `init()`, an initialiser with all of them in their order
/// (unless the type has one with parameters of its own), and `fields`.
///
/// Each property is a field. Its first paragraph of documentation is the field's description in the schema;
/// its name is `snake_case` on the wire; it has an initial value, or is optional.
/// ``Field(_:markedBy:in:name:)`` says more.
///
///     /// One row of a report.
///     @Record package struct ReportRow: Record {
///         /// App, category, domain, device, member, or all.
///         @Field(.personal) package var key: String = ""
///         /// Milliseconds, or a count.
///         package var value: Int64 = 0
///     }
/// - Parameter title: of its schema; default: the type's name.
@attached(member, names: named(init), named(fields), named(title))
package macro Record(_ title: String? = nil) = #externalMacro(module: "RecordMacros", type: "RecordMacro")

/// What a property of a ``Record(_:)`` cannot say by itself. Makes nothing of its own.
/// - Parameters:
///   - mark: what the text is to a program that is no part of the system.
///   - markProperty: a property of the type that says the mark, where that depends on other fields.
///   - range: of an integer, when it is not that of all of them.
///   - name: on the wire, when it is not the property's.
@attached(peer)
package macro Field(
    _ mark: FieldMark? = nil, markedBy markProperty: String? = nil, in range: ClosedRange<Int64>? = nil,
    name: StaticString? = nil
) = #externalMacro(module: "RecordMacros", type: "FieldMacro")
