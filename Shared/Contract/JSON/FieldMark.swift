/// What the text of a field is to a program that is no part of the system. A record says it where it lists
/// its fields; free text without a mark does not reach such a program, and is not taken from it.
@usableFromInline
package enum FieldMark: Equatable, Sendable {
    /// Kinds of what a household uses.
    @usableFromInline
    package enum Subject: Sendable { case app, category, domain, appOrDomain }

    /// Nothing of what the household uses: ids of programs, what programs themselves named, words of the
    /// system.
    case publicText
    /// Names of subjects: programs have tokens in their stead.
    case subject(Subject)
    /// The program's token of the subject that stands beside it, for a program that may see names.
    case token(of: Subject, String)
    /// The value of the managed setting of this key, which says what is in it.
    case setting(String)
    /// For the person's eyes: what people and things are called, sentences that name them.
    case personal
}
