import Foundation
import FoundationXML
import Testing

@testable import UIKit

@Suite struct UIImageTests {
    @Test func headersTellTheSize() throws {
        #expect(
            try #require(UIImage(data: TinyImages.png(width: 30, height: 20))).size
                == CGSize(width: 30, height: 20))
        let half = try #require(UIImage(data: TinyImages.png(width: 30, height: 20), scale: 2))
        #expect(half.size == CGSize(width: 15, height: 10) && half.pngData() != nil)
        #expect(half.jpegData(compressionQuality: 1) == nil)
        let jpeg = try #require(UIImage(data: TinyImages.jpegHeader(width: 640, height: 480)))
        #expect(jpeg.size == CGSize(width: 640, height: 480) && jpeg.pngData() == nil)
        let svg = try #require(UIImage(data: Data("<svg xmlns='x' viewBox=\"0 0 24 12\"/>".utf8)))
        #expect(svg.size == CGSize(width: 24, height: 12))
    }

    @Test func whatIsNoImageIsNil() {
        var png = [UInt8](TinyImages.png(width: 1, height: 1))
        #expect(UIImage(data: Data()) == nil)
        #expect(UIImage(data: Data("hello".utf8)) == nil)
        for end in 0..<33 { #expect(UIImage(data: Data(png.prefix(end))) == nil) }
        png.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        #expect(UIImage(data: Data(png)) == nil, "no width")
        for end in 0..<17 {
            #expect(UIImage(data: TinyImages.jpegHeader(width: 9, height: 9).prefix(end)) == nil)
        }
        #expect(UIImage(data: Data("<svg width=\"1e999\" height=\"-1\"/>".utf8)) == nil)
        #expect(UIImage(contentsOfFile: "/nowhere/at/all.png") == nil)
    }

    @Test func symbolsHaveASizeAndAColour() throws {
        let plain = try #require(UIImage(systemName: "hourglass"))
        #expect(plain.isSymbolImage && plain.size.width > 17)
        let large = try #require(
            UIImage(
                systemName: "lock.fill",
                withConfiguration: UIImage.SymbolConfiguration(pointSize: 60, weight: .bold)
                    .applying(UIImage.SymbolConfiguration(paletteColors: [.systemGreen, .white]))))
        #expect(large.size.width > 60 && large.svg(dark: false).contains("#34C759"))
        #expect(large.withTintColor(.systemRed).svg(dark: false).contains("#FF3B30"))
        #expect(large.withTintColor(.systemRed).svg(dark: true).contains("#FF453A"))
        #expect(UIImage(systemName: "") == nil)
        #expect(UIImage(systemName: "<svg onload=x>") == nil)
        #expect(try #require(UIImage(systemName: "quokka.fill")).svg(dark: false).contains(">Q<"))
    }

    @Test func everyShapeOfTheTableIsAPath() {
        #expect(SymbolShapes.all.count > 140)
        for (name, shape) in SymbolShapes.all {
            let paths = [shape.body, shape.lines, shape.outer, shape.dots].filter { !$0.isEmpty }
            #expect(!paths.isEmpty && SystemSymbol.isKnown(name))
            for path in paths {
                #expect(path.wholeMatch(of: /M[MLHVCSAZmlhvcsaz0-9 .\-]+/) != nil, "\(name): \(path)")
            }
        }
    }

    @Test func everyDrawnSymbolIsWellFormed() throws {
        for name in [
            "hourglass", "lock.shield.fill", "moon.zzz", "xmark.circle.fill", "bell.slash", "1.circle",
            "person.badge.plus", "person.crop.circle", "checkmark.seal.fill",
        ] {
            let text = try #require(UIImage(systemName: name)).svg(dark: false)
            #expect(throws: Never.self) { try XMLDocument(xmlString: text) }
        }
    }

    @Test func aBundleHasFilesAndCatalogues() throws {
        let bundle = try ScratchBundle()
        defer { bundle.remove() }
        let plain = try #require(UIImage(named: "AppSymbol.png", in: bundle.bundle, compatibleWith: nil))
        #expect(plain.size == CGSize(width: 20, height: 20) && plain.scale == 2, "the file of most pixels")
        #expect(UIImage(named: "AppSymbol", in: bundle.bundle, compatibleWith: nil) == plain)
        #expect(UIImage(named: "appsymbol.jpg", in: bundle.bundle, compatibleWith: nil) == nil)
        let logo = try #require(UIImage(named: "Logo", in: bundle.bundle, compatibleWith: nil))
        #expect(logo.size == CGSize(width: 10, height: 10) && logo.darkContent != nil)
        #expect(logo.renderingMode == .alwaysTemplate)
        #expect(UIImage(named: "AppIcon", in: bundle.bundle, compatibleWith: nil)?.size.width == 64)
        #expect(UIImage(named: "Missing", in: bundle.bundle, compatibleWith: nil) == nil)
        #expect(UIImage(named: "../Info.plist", in: bundle.bundle, compatibleWith: nil) == nil)
    }

    @Test func coloursOfACatalogueHaveBothLooks() throws {
        let bundle = try ScratchBundle()
        defer { bundle.remove() }
        let brand = try #require(UIColor(named: "Brand", in: bundle.bundle, compatibleWith: nil))
        #expect(brand.appearances.light.hex == "#FF8000" && brand.appearances.dark.hex == "#0080FF80")
        let system = try #require(UIColor(named: "Accent", in: bundle.bundle, compatibleWith: nil))
        #expect(system == UIColor.systemTeal)
        #expect(UIColor(named: "Broken", in: bundle.bundle, compatibleWith: nil) == nil)
        #expect(UIColor(named: "Missing", in: bundle.bundle, compatibleWith: nil) == nil)
    }
}

/// Images small enough to be written by hand.
enum TinyImages {
    /// Only the header is ever read.
    static func png(width: UInt32, height: UInt32) -> Data {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        for value in [width, height] { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
        return Data(bytes + [8, 6, 0, 0, 0, 0, 0, 0, 0])
    }

    static func jpegHeader(width: UInt16, height: UInt16) -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8]
        for value in [height, width] { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
        return Data(bytes + [1, 1, 0x11, 0])
    }
}

/// A bundle directory with an image, a catalogue and colours.
struct ScratchBundle {
    let url: URL
    let bundle: Bundle

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".bundle")
        try Self.write(url, "Info.plist", Data("<plist version=\"1.0\"><dict/></plist>".utf8))
        try Self.write(url, "AppSymbol.png", TinyImages.png(width: 20, height: 20))
        try Self.write(url, "Resources/AppSymbol@2x.png", TinyImages.png(width: 40, height: 40))
        let assets = "Media.xcassets/Group"
        try Self.write(url, "\(assets)/Logo.imageset/l.png", TinyImages.png(width: 20, height: 20))
        try Self.write(url, "\(assets)/Logo.imageset/d.png", TinyImages.png(width: 20, height: 20))
        try Self.write(url, "\(assets)/Logo.imageset/Contents.json", Data(Self.logo.utf8))
        try Self.write(url, "\(assets)/AppIcon.appiconset/s.png", TinyImages.png(width: 16, height: 16))
        try Self.write(url, "\(assets)/AppIcon.appiconset/b.png", TinyImages.png(width: 64, height: 64))
        try Self.write(url, "\(assets)/AppIcon.appiconset/Contents.json", Data(Self.icon.utf8))
        for (name, text) in ["Brand": Self.brand, "Accent": Self.accent, "Broken": "{\"colors\":[{"] {
            try Self.write(url, "\(assets)/\(name).colorset/Contents.json", Data(text.utf8))
        }
        bundle = try #require(Bundle(path: url.path))
    }

    func remove() {
        // What is left is in the system's directory for such things.
        try? FileManager.default.removeItem(at: url)
    }

    private static func write(_ root: URL, _ path: String, _ data: Data) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private static let logo = """
        {"images":[{"filename":"l.png","idiom":"universal","scale":"2x"},{"idiom":"universal","scale":"3x"},
        {"filename":"d.png","idiom":"universal","scale":"2x",
        "appearances":[{"appearance":"luminosity","value":"dark"}]}],
        "properties":{"template-rendering-intent":"template"},"info":{"version":1,"author":"xcode"}}
        """
    private static let icon = """
        {"images":[{"filename":"s.png","size":"16x16","scale":"1x"},
        {"filename":"b.png","size":"64x64","scale":"1x"}]}
        """
    private static let brand = """
        {"colors":[{"idiom":"universal","color":{"color-space":"srgb",
        "components":{"red":"1.000","green":"128","blue":"0x00","alpha":"1.000"}}},
        {"idiom":"universal","appearances":[{"appearance":"luminosity","value":"dark"}],"color":{
        "color-space":"srgb","components":{"red":"0x00","green":"0x80","blue":"0xFF","alpha":"0.500"}}}]}
        """
    private static let accent = """
        {"colors":[{"idiom":"universal","color":{"platform":"ios","reference":"systemTealColor"}}]}
        """
}
