import Foundation
import Testing

@testable import NotifierCore

/// Pictures as a common encoder makes them are taken, and drawn as before.
@Suite struct RealPictureTests {
    /// - Returns: what the program of ImageMagick printed.
    private static func run(_ words: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let output = Foundation.Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    @Test(arguments: [
        ["a.png"], ["-interlace", "PNG", "a.png"], ["-depth", "16", "a.png"], ["-colors", "9", "png8:a.png"],
        ["-monochrome", "a.png"], ["-colorspace", "gray", "-alpha", "on", "a.png"],
        ["-transparent", "red", "-comment", "words", "a.png"],
        ["-resize", "37x1!", "-interlace", "PNG", "a.png"], ["a.jpg"], ["-interlace", "JPEG", "a.jpg"],
        ["-colorspace", "gray", "a.jpg"], ["-quality", "3", "a.jpg"],
        ["-colorspace", "CMYK", "a.jpg"], ["-define", "jpeg:restart-interval=1", "-comment", "w", "a.jpg"],
        ["-sampling-factor", "4:2:0", "-density", "300", "a.jpg"], ["a.gif"], ["-interlace", "GIF", "a.gif"],
        ["-transparent", "red", "-comment", "words", "a.gif"],
        ["-duplicate", "3", "-set", "delay", "10", "-loop", "0", "a.gif"],
    ])
    func whatIsPassedOnLooksTheSame(options: [String]) throws {
        var template = Array((NSTemporaryDirectory() + "/picture-XXXXXX").utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: directory) } }
        let name = try #require(options.last).split(separator: ":").last ?? ""
        let made = "\(directory)/\(name)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.arguments = ["convert", "-size", "61x43", "plasma:red-blue", "-seed", "7"] + options
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: made)))
        let picture = try Picture(bytes)
        #expect(name.hasSuffix(picture.kind == .jpeg ? "jpg" : picture.kind.rawValue))
        let passed = "\(directory)/passed.\(picture.kind.rawValue)"
        try Data(picture.bytes).write(to: URL(fileURLWithPath: passed))
        let different = try Self.run("compare", "-metric", "AE", made + "[0]", passed, "null:")
        #expect(different.hasPrefix("0"), "\(different)")
    }
}
