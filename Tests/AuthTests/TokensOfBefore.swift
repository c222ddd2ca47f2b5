import Contract

/// Golden: tokens of `TokenSealerTests`' master and grant, computed apart from its code by libsodium.
struct TokensOfBefore: Sendable {
    var subject: TokenSubject
    var text: String

    static let all = [
        TokensOfBefore(
            subject: TokenSubject(.app, "com.spotify.music"),
            text: "AeixecC/Uvbt0msLQdV5koAAW56EUbfGHmeYlPI25UMhXKsZWAR13s0+RKagVU7c+8vU54z11OIdjYqzh45T"
                + "dVjk4NK+TJNFbrbQgZvgwHM46pq1Eis8OM5BVv1y41qdKRCZyEuz2KKX7m6NwXx+iN5FvmKsl9TCb2o7RF17"
                + "zj0="),
        TokensOfBefore(
            subject: TokenSubject(.category, "social"),
            text: "AeixecC/UvbtTODBclzIrHmMzNVLDX4nkxreA/QDthMgeN2k2o+1s1W7Cd8yGC0TC60h/bSmeEav1allQN8S"
                + "XIku2WWwlQus1FhgoCOLR0Vk5n0qUOXFmrWEg1rQRCeS3hCukJzBM9gv3ri74ZYddHCvyOL8SZJDKW+0ZLxr"
                + "K94="),
        TokensOfBefore(
            subject: TokenSubject(.domain, String(repeating: "a", count: 60)),
            text: "AeixecC/Uvbt04Vjxe0gapmZSEJPckdEkfCuyRAn2XXHYRogGeRmD7eWL+orvqdGjps8iqfp0728iXhSnvoB"
                + "ZG0n069gYElXlU+L+j08q8GE4Uw+OB1+VBvw15jkibJV61qi5BgH144biluvfIiTnRQtXwZCBWfQw4ojJThf"
                + "7OQ="),
        TokensOfBefore(
            subject: TokenSubject(.domain, String(repeating: "a", count: 61)),
            text: "AeixecC/UvbtCnx+SADTdddJXvmkjLOT7hzYBuZFkaWxmJJMg4tWJjzEdOBH3N3F0tT84CoP4Bay2aYk2hL7"
                + "6SD/cKeV9Xm7I2edMag4JUhXLWGSBcY+nFErknkeqnBkgndDI/cPGF49ie2ZzkoFfXoh8sbpY+IsG1hT0Ep1"
                + "q4LfoeXhGMEiU55Qj/mXr2Ovxiz9m84SvCRAzLTBazfPAUgpej0XL3Dn7wujWGV2nZzDQ7xcTNYTLdjlVM1v"
                + "8pdN"),
        TokensOfBefore(
            subject: TokenSubject(.app, "exe:/opt/" + String(repeating: "game/", count: 40)),
            text: "AeixecC/UvbtsOB1bdaxrsMe7rpZ5CGOm1LkS4Pdvo57S+GTVmNAd/vr87eJ9kp0zut2bv/c7Yi+FUgBKNZT"
                + "XRpz784cl87IrKc+E3sWWYZAq0IF5j/7SinsZVGB19notjKzN8NWkQ/TWkqEdbbT4ad3YP26RQBnK0gUwzcj"
                + "Ji3Ed1KsRHF9TCQRD7jA7uyCs6GQ9L/kPhXW89zSOLkq0GQsQScuF0/cbE5eM4IMEMLu+x0pas+MKfbuX3V2"
                + "jp9ERIe+EbaopignjzbLO+bk8WmNP2Xg54HW1DCUnHebKSg5s7VtN5SbKjMfq36uIsslpb9VrGZr1ujaxCEq"
                + "0iQtbwA0em6/KXIksd5iHEcsZWKK0uX4w07R0/NcrZhwHsESecNjovoxu1/RWQhgBdB0HBBhBPEqF4dmw+DH"
                + "woKzwmc="),
    ]
}
