/// What the text of a field reveals to programs outside the system (apps and extensions). A record declares
/// it where it lists its fields. Text without a mark is neither sent to such programs nor accepted from them.
@usableFromInline
package enum FieldMark: Equatable, Sendable {
    /// Kinds of subjects: what a household uses.
    @usableFromInline
    package enum Subject: Sendable { case app, category, domain, appOrDomain }

    /// Reveals nothing about use: ids of programs, names that programs chose, fixed texts of the system.
    case publicText
    /// Names of subjects; programs get tokens instead.
    case subject(Subject)
    /// The program's token of the subject in another field, for programs that may see names.
    case token(of: Subject, String)
    /// The value of the managed setting with this key; ``SettingTable`` says where it contains names.
    case setting(String)
    /// For the person only: names of people and things, and sentences that contain them.
    case personal
}
