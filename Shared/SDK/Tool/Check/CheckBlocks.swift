/// The blocks in braces of a source file, found line by line.
struct CheckBlocks {
    struct Block {
        /// Lines from 1, both with a brace.
        var lines: ClosedRange<Int>
        /// 0: a declaration of the file.
        var depth: Int
    }

    private(set) var blocks: [Block] = []

    init(_ source: String) {
        var open: [Int] = []
        var line = 1
        var isComment = false
        var isText = false
        var previous: Character = " "
        for character in source {
            switch character {
            case "\n", "\r\n":
                line += 1
                (isComment, isText) = (false, false)
            case "/" where previous == "/" && !isText: isComment = true
            case "\"" where !isComment && previous != "\\": isText.toggle()
            case "{" where !isComment && !isText: open.append(line)
            case "}" where !isComment && !isText:
                if let start = open.popLast() { blocks.append(Block(lines: start...line, depth: open.count)) }
            default: break
            }
            previous = character
        }
    }

    /// The complete declaration that begins on `line`: its own block, else the enclosing one.
    func declaration(at line: Int) -> ClosedRange<Int> {
        let own = blocks.filter { $0.lines.lowerBound == line }.min { $0.depth < $1.depth }
        return (own ?? blocks.filter { $0.lines.contains(line) }.max { $0.depth < $1.depth })?.lines
            ?? line...line
    }

    /// The member of a type, or the function of the file, that contains `line`.
    func member(around line: Int) -> ClosedRange<Int> {
        let around = blocks.filter { $0.lines.contains(line) && $0.depth <= 1 }
        return around.max { $0.depth < $1.depth }?.lines ?? line...line
    }
}
