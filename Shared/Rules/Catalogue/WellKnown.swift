/// Built-in table of widely used apps and domains. Settings of a person, lists and desktop entries have
/// precedence over it.
package enum WellKnown {
    /// The category of an app: by its Android package or desktop-file id.
    package static func category(ofApp id: String) -> String? {
        apps[id] ?? (isBrowser(id) ? "utilities" : nil)
    }

    /// The category of a host, and the domain in the table that covers it; the longest match decides.
    package static func category(ofHost host: String) -> (domain: String, category: String)? {
        for name in DomainNames(of: host) {
            if let category = domains[name] { return (name, category) }
        }
        return nil
    }

    /// Whether an app is a known browser: by its id, or by its program if it has no desktop file.
    package static func isBrowser(_ id: String) -> Bool {
        if browsers.contains(id) { return true }
        guard id.hasPrefix(Subject.programPrefix), let slash = id.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return false }
        return browsers.contains(String(id[id.index(after: slash)...]))
    }

    /// All domains of the table, sorted.
    package static let domainNames = domains.keys.sorted()

    private static let browsers: Set<String> = [
        // Desktop-file ids and programs.
        "firefox", "firefox-esr", "org.mozilla.firefox", "librewolf", "io.gitlab.librewolf-community",
        "chromium", "chromium-browser", "org.chromium.Chromium", "chrome", "google-chrome",
        "com.google.Chrome", "brave", "brave-browser", "com.brave.Browser", "microsoft-edge",
        "com.microsoft.Edge", "opera", "com.opera.Opera", "vivaldi", "vivaldi-stable",
        "com.vivaldi.Vivaldi",
        "epiphany", "org.gnome.Epiphany", "falkon", "org.kde.falkon", "org.kde.konqueror", "konqueror",
        "qutebrowser", "org.qutebrowser.qutebrowser", "midori", "torbrowser", "torbrowser-launcher",
        // Android packages.
        "com.android.chrome", "com.chrome.beta", "org.mozilla.firefox_beta", "org.mozilla.focus",
        "com.brave.browser", "com.microsoft.emmx", "com.opera.browser", "com.opera.mini.native",
        "com.sec.android.app.sbrowser", "com.duckduckgo.mobile.android", "com.vivaldi.browser",
        // Bundle ids of macOS.
        "com.apple.Safari",
    ]

    private static let apps: [String: String] = [
        "com.whatsapp": "social", "org.thoughtcrime.securesms": "social",
        "org.telegram.messenger": "social",
        "com.facebook.katana": "social", "com.facebook.orca": "social", "com.instagram.android": "social",
        "com.snapchat.android": "social", "com.twitter.android": "social", "com.discord": "social",
        "com.reddit.frontpage": "social", "com.zhiliaoapp.musically": "social",
        "com.groupme.android": "social",
        "com.google.android.apps.messaging": "social", "com.google.android.dialer": "social",
        "com.google.android.youtube": "entertainment", "com.spotify.music": "entertainment",
        "com.netflix.mediaclient": "entertainment", "com.google.android.apps.podcasts": "entertainment",
        "tv.twitch.android.app": "entertainment", "com.google.android.gm": "productivity",
        "com.google.android.calendar": "productivity", "com.google.android.apps.docs": "productivity",
        "com.google.android.apps.photos": "creativity", "com.google.android.GoogleCamera": "creativity",
        "com.google.android.apps.maps": "travel", "com.ubercab": "travel",
        "com.amazon.mShop.android.shopping": "shopping",
        "com.duolingo": "education", "com.fitbit.FitbitMobile": "health", "com.strava": "health",
        "com.cnn.mobile.android.phone": "reading", "com.android.settings": "utilities",
        "com.android.vending": "utilities",
    ]

    private static let domains: [String: String] = [
        "facebook.com": "social", "instagram.com": "social", "messenger.com": "social",
        "whatsapp.com": "social",
        "x.com": "social", "twitter.com": "social", "tiktok.com": "social", "snapchat.com": "social",
        "reddit.com": "social", "linkedin.com": "social", "pinterest.com": "social", "tumblr.com": "social",
        "discord.com": "social", "telegram.org": "social", "mastodon.social": "social",
        "bsky.app": "social",
        "youtube.com": "entertainment", "netflix.com": "entertainment", "twitch.tv": "entertainment",
        "spotify.com": "entertainment", "hulu.com": "entertainment", "disneyplus.com": "entertainment",
        "vimeo.com": "entertainment", "soundcloud.com": "entertainment", "imdb.com": "entertainment",
        "primevideo.com": "entertainment", "imgur.com": "entertainment",
        "steampowered.com": "games", "roblox.com": "games", "minecraft.net": "games",
        "epicgames.com": "games",
        "chess.com": "games", "lichess.org": "games", "itch.io": "games",
        "wikipedia.org": "reading", "nytimes.com": "reading", "bbc.co.uk": "reading", "bbc.com": "reading",
        "cnn.com": "reading", "theguardian.com": "reading", "medium.com": "reading",
        "goodreads.com": "reading",
        "archiveofourown.org": "reading", "fanfiction.net": "reading",
        "khanacademy.org": "education", "coursera.org": "education", "edx.org": "education",
        "duolingo.com": "education", "wolframalpha.com": "education",
        "amazon.com": "shopping", "amazon.co.uk": "shopping", "amazon.de": "shopping",
        "ebay.com": "shopping",
        "etsy.com": "shopping", "walmart.com": "shopping", "target.com": "shopping",
        "aliexpress.com": "shopping",
        "booking.com": "travel", "airbnb.com": "travel", "tripadvisor.com": "travel",
        "expedia.com": "travel",
        "openstreetmap.org": "travel", "maps.google.com": "travel",
        "github.com": "developer tools", "gitlab.com": "developer tools",
        "stackoverflow.com": "developer tools",
        "swift.org": "developer tools", "developer.mozilla.org": "developer tools",
        "mail.google.com": "productivity", "docs.google.com": "productivity", "outlook.com": "productivity",
        "office.com": "productivity", "notion.so": "productivity", "slack.com": "productivity",
        "zoom.us": "productivity", "paypal.com": "productivity",
        "canva.com": "creativity", "figma.com": "creativity", "deviantart.com": "creativity",
        "strava.com": "health", "webmd.com": "health", "myfitnesspal.com": "health",
        "google.com": "utilities", "bing.com": "utilities", "duckduckgo.com": "utilities",
    ]
}
