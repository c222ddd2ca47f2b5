/// Makes a record of a type's stored properties: generates `init()`, an initialiser with all of them in their
/// order (unless the type has one with parameters), and `fields`.
///
/// Each property is a field. The first paragraph of its documentation is the field's description in the
/// schema. Its name is `snake_case` on the wire. It must have an initial value or be optional.
/// ``Field(_:markedBy:in:name:)`` sets anything else.
///
///     /// One row of a report.
///     @Record struct ReportRow: Record {
///         /// App, category, domain, device, member, or all.
///         @Field(.personal) var key: String = ""
///         /// Milliseconds, or a count.
///         var value: Int64 = 0
///     }
/// - Parameter title: title of its schema; default the type's name.
@attached(member, names: named(init), named(fields), named(title))
package macro Record(_ title: String? = nil) = #externalMacro(module: "RecordMacros", type: "RecordMacro")

/// Properties of a field that its declaration cannot express. ``Record(_:)`` reads them; this macro generates
/// nothing.
/// - Parameters:
///   - mark: what the text reveals to a program outside the system.
///   - markProperty: a property of the type that returns the mark, where it depends on other fields.
///   - range: allowed integers, if not those of ``JSONLimits/integers``.
///   - name: name on the wire, if not derived from the property's.
@attached(peer)
package macro Field(
    _ mark: FieldMark? = nil, markedBy markProperty: String? = nil, in range: ClosedRange<Int64>? = nil,
    name: StaticString? = nil
) = #externalMacro(module: "RecordMacros", type: "FieldMacro")
