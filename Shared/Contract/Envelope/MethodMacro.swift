/// Generates the constants that ``Method`` requires. The summary is the first paragraph of the type's
/// documentation.
///
///     /// Who used what for how long.
///     @Method("report.query", of: .report, .read, for: .authorizedClient)
///     enum ReportQuery: Method { … }
@attached(member, names: named(name), named(owner), named(effect), named(access), named(summary))
package macro Method(_ name: String, of owner: ServiceName, _ effect: Effect, for access: Access) =
    #externalMacro(module: "RecordMacros", type: "MethodMacro")

/// The same for ``AgentMethod``, whose agent is a name of ``AgentName``.
@attached(member, names: named(name), named(agent), named(effect), named(access), named(summary))
package macro Method(_ name: String, ofAgent agent: String, _ effect: Effect, for access: Access) =
    #externalMacro(module: "RecordMacros", type: "MethodMacro")

/// Makes a record of a type's stored properties, as `@Record` does, and generates the constants that
/// ``EventData`` requires. The summary is the first paragraph of the type's documentation.
@attached(
    member, names: named(init), named(fields), named(type), named(owner), named(summary))
package macro Event(_ type: String, of owner: ServiceName) =
    #externalMacro(module: "RecordMacros", type: "EventMacro")
