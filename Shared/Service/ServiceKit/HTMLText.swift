/// Escaping text for HTML.
package enum HTMLText {
    /// Escapes `text` for an element or a quoted attribute. Works on scalars, because for Swift a combining
    /// mark after `"` forms another character, and for a browser it does not. Works in bytes, because a
    /// string that grows by scalar views is copied each time. Characters that HTML forbids become U+FFFD.
    package static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".utf8
            case "<": escaped += "&lt;".utf8
            case ">": escaped += "&gt;".utf8
            case "\"": escaped += "&quot;".utf8
            case "'": escaped += "&#39;".utf8
            case "`": escaped += "&#96;".utf8
            case "\t", "\n": escaped += scalar.utf8
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}".utf8
            default: escaped += scalar.utf8
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// A document for an attribute in double quotes. Only `&` and `"` are special there; the rest stays
    /// readable.
    static func quoted(_ document: String) -> String {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(document.utf8.count)
        for byte in document.utf8 {
            switch byte {
            case UInt8(ascii: "&"): quoted += "&amp;".utf8
            case UInt8(ascii: "\""): quoted += "&quot;".utf8
            default: quoted.append(byte)
            }
        }
        return String(decoding: quoted, as: UTF8.self)
    }
}

/// How a page made by a program is displayed: it cannot load anything, run scripts or navigate.
package enum PagePolicy {
    /// The value of `Content-Security-Policy`: only styles and images inside the page.
    package static let contentSecurity =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

    /// A document that shows `page` in a sandboxed frame without any permission: no scripts, forms, windows
    /// or navigation of its parent, and an opaque origin.
    /// - Parameter notice: trusted HTML above the frame.
    package static func framed(_ page: String, title: String, notice: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="\(contentSecurity)"/>
        <meta name="referrer" content="no-referrer"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>\(HTMLText.escaped(title))</title>
        <style>
        :root{color-scheme:light dark}
        html,body{margin:0;height:100%}
        body{display:flex;flex-direction:column}
        iframe{display:block;border:0;width:100%;flex:1}
        </style>
        </head>
        <body>\(notice)
        <iframe sandbox="" title="\(HTMLText.escaped(title))" srcdoc="\(HTMLText.quoted(page))"></iframe>
        </body>
        </html>

        """
    }
}
