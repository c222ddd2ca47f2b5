internal import CSodium
internal import CZlib
import Glibc

/// Bytes that are served, with what identifies them and a packed copy.
struct Packed {
    let bytes: [UInt8]
    /// gzip (RFC 1952); nil if it would not be smaller, or was not asked for.
    let zipped: [UInt8]?
    /// An entity tag (RFC 9110, 8.8.3) without its quotes: the digest of the bytes.
    let tag: String

    /// - Parameter isText: whether packing it pays.
    init(_ bytes: [UInt8], isText: Bool) {
        self.bytes = bytes
        tag = Self.digest(bytes)
        let zipped = isText ? Self.zip(bytes) : nil
        self.zipped = zipped.flatMap { $0.count < bytes.count ? $0 : nil }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
        return digest.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    private static func zip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard deflate_begin_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        var input = bytes
        let result = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}

extension HTTPResponse {
    /// Serves bytes: with an entity tag, packed if the client takes that, and without a body if it has them.
    init(
        _ packed: Packed, type: String, caching: String, to request: HTTPRequest,
        _ more: [(String, String)] = []
    ) {
        let takesGzip = (request.fields["accept-encoding"] ?? "").split(separator: ",").contains {
            $0.split(separator: ";").first.map { $0.drop { $0 == " " } == "gzip" } ?? false
        }
        let zipped = takesGzip ? packed.zipped : nil
        let tag = "\"\(packed.tag)\(zipped == nil ? "" : "-gzip")\""
        var fields: [(name: String, value: String)] = [
            ("ETag", tag), ("Cache-Control", caching), ("Vary", "Accept-Encoding"),
        ]
        fields += more.map { (name: $0.0, value: $0.1) }
        if Self.names(request.fields["if-none-match"], tag) {
            self.init(304, fields)
            return
        }
        fields.append(("Content-Type", type))
        if zipped != nil { fields.append(("Content-Encoding", "gzip")) }
        self.init(200, fields, .bytes(zipped ?? packed.bytes))
    }

    /// Whether `If-None-Match` names the tag, by weak comparison.
    private static func names(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { part in
            let word = part.drop { $0 == " " }
            let strong = word.hasPrefix("W/") ? word.dropFirst(2) : word
            return strong == "*" || strong.prefix { $0 != " " } == tag
        }
    }
}
