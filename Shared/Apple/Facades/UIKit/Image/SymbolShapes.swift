/// The shapes of system symbols, on a square of 24 units.
enum SymbolShapes {
    /// By name. A shape whose path cannot be read would be a mistake of the table, which a test looks for.
    static let all: [String: SystemSymbol.Shape] = {
        var shapes: [String: SystemSymbol.Shape] = [:]
        var names: [Substring] = []
        for line in (table + "\n" + moreTable).split(separator: "\n") {
            guard line.first == " " else {
                names = line.split(separator: " ")
                continue
            }
            let path = String(line.dropFirst(3))
            for name in names.map(String.init) {
                switch line.dropFirst().first {
                case "b": shapes[name, default: .init()].body += path
                case "o": shapes[name, default: .init()].outer += path
                case "l": shapes[name, default: .init()].lines += path
                default: shapes[name, default: .init()].dots += path
                }
            }
        }
        return shapes
    }()

    /// Names, and below them their body (b), lines (l), lines outside
    /// of it (o) and dots (d) as SVG's path data.
    private static let table = """
        hourglass
         b M6 3h12v3.5c0 2.5-3.5 4-5 5.5c1.5 1.5 5 3 5 5.5V21H6v-3.5c0-2.5 3.5-4 5-5.5c-1.5-1.5-5-3-5-5.5z
         o M5 3h14M5 21h14
        hourglass.bottomhalf
         b M6 3h12v3.5c0 2.5-3.5 4-5 5.5c1.5 1.5 5 3 5 5.5V21H6v-3.5c0-2.5 3.5-4 5-5.5c-1.5-1.5-5-3-5-5.5z
         d M7 20.5c0-3 3-4 5-5c2 1 5 2 5 5z
         o M5 3h14M5 21h14
        hourglass.tophalf
         b M6 3h12v3.5c0 2.5-3.5 4-5 5.5c1.5 1.5 5 3 5 5.5V21H6v-3.5c0-2.5 3.5-4 5-5.5c-1.5-1.5-5-3-5-5.5z
         d M7.5 7.5h9c-1 2-3.5 3-4.5 4c-1-1-3.5-2-4.5-4z
         o M5 3h14M5 21h14
        lock
         b M7 11h10a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V13a2 2 0 0 1 2-2z
         o M8 11V7.5a4 4 0 0 1 8 0V11
        lock.open
         b M7 11h10a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V13a2 2 0 0 1 2-2z
         o M8 11V7a4 4 0 0 1 7.8-1.2
        lock.shield
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
         l M9 12h6v4H9zM10 12v-1.5a2 2 0 0 1 4 0V12
        shield
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
        shield.lefthalf.filled
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
         d M12 2.5v19c-5-2-8-5.5-8-10V5.5z
        checkmark.shield
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
         l M8 12l3 3l5-6
        exclamationmark.shield
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
         l M12 7.5v5.5M12 16.2v.1
        xmark.shield
         b M12 2.5l8 3v6c0 4.5-3 8-8 10c-5-2-8-5.5-8-10v-6z
         l M9 9l6 6M15 9l-6 6
        hand.raised
         b M7 12V6a1.5 1.5 0 0 1 3 0v-1.5a1.5 1.5 0 0 1 3 0V6a1.5 1.5 0 0 1 3 0v2.5a1.5 1.5 0 0 1 3 0V15
         b c0 4-2.5 7-6.5 7c-3.5 0-5-1.5-6.5-4L3.8 13.5c-.8-1.5 1.2-2.5 2.2-1.2z
        hand.thumbsup
         b M8 11l3.5-8c2 0 2.8 1.5 2.3 3.5L13 10h5.5c1.5 0 2.3 1.3 1.9 2.7l-1.6 6c-.3 1.2-1.2 1.8-2.3 1.8H8z
         b M3.5 11H8v9.5H3.5z
        xmark
         l M5 5l14 14M19 5L5 19
        checkmark
         l M4.5 13l5 6L19.5 5
        checkmark.seal
         b M12 2l2.5 2l3.2-.3l1.1 3l2.7 1.7L20.7 12l.8 3.6l-2.7 1.7l-1.1 3l-3.2-.3L12 22l-2.5-2l-3.2.3l-1.1-3
         b l-2.7-1.7L3.3 12l-.8-3.6l2.7-1.7l1.1-3l3.2.3z
         l M8 12.3l3 3l5-6
        xmark.seal
         b M12 2l2.5 2l3.2-.3l1.1 3l2.7 1.7L20.7 12l.8 3.6l-2.7 1.7l-1.1 3l-3.2-.3L12 22l-2.5-2l-3.2.3l-1.1-3
         b l-2.7-1.7L3.3 12l-.8-3.6l2.7-1.7l1.1-3l3.2.3z
         l M9 9l6 6M15 9l-6 6
        plus
         l M12 4v16M4 12h16
        minus
         l M4 12h16
        equal
         l M5 9.5h14M5 14.5h14
        exclamationmark
         l M12 4v11M12 19.5v.1
        exclamationmark.triangle
         b M12 3.5L22 20.5H2z
         l M12 9.5v5M12 17.6v.1
        exclamationmark.octagon
         b M8 2.5h8L21.5 8v8L16 21.5H8L2.5 16V8z
         l M12 7v6M12 16.5v.1
        questionmark
         l M8 8a4 4 0 1 1 5.5 3.7c-1 .5-1.5 1.3-1.5 2.8M12 19v.1
        info
         l M12 10.5V19M12 5.5v.1
        nosign
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M5.2 5.2l13.6 13.6
        circle
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
        square app
         b M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z
        app.dashed
         l M3 8V6a3 3 0 0 1 3-3h2M16 3h2a3 3 0 0 1 3 3v2M21 16v2a3 3 0 0 1-3 3h-2M8 21H6a3 3 0 0 1-3-3v-2
        triangle
         b M12 3.5L22 20.5H2z
        diamond
         b M12 2l10 10l-10 10L2 12z
        hexagon
         b M12 2l9 5v10l-9 5l-9-5V7z
        capsule
         b M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7z
        seal
         b M12 2l2.5 2l3.2-.3l1.1 3l2.7 1.7L20.7 12l.8 3.6l-2.7 1.7l-1.1 3l-3.2-.3L12 22l-2.5-2l-3.2.3l-1.1-3
         b l-2.7-1.7L3.3 12l-.8-3.6l2.7-1.7l1.1-3l3.2.3z
        star
         b M12 2.5l2.9 6.2l6.8.8l-5 4.6l1.3 6.7l-6-3.3l-6 3.3l1.3-6.7l-5-4.6l6.8-.8z
        sparkles
         b M10 4l1.8 5.2L17 11l-5.2 1.8L10 18l-1.8-5.2L3 11l5.2-1.8zM18.5 2.5l.8 2.2l2.2.8l-2.2.8l-.8 2.2
         b l-.8-2.2l-2.2-.8l2.2-.8zM18 16l.9 2.6l2.6.9l-2.6.9L18 23l-.9-2.6l-2.6-.9l2.6-.9z
        heart
         b M12 20.5C5 15.5 2.5 12 2.5 8.5C2.5 5.5 4.7 3.5 7.3 3.5c2 0 3.7 1.2 4.7 3c1-1.8 2.7-3 4.7-3
         b c2.6 0 4.8 2 4.8 5c0 3.5-2.5 7-9.5 12z
        flame
         b M12 2c1 4 6 6.5 6 12.5c0 4.5-3 7.5-6 7.5s-6-3-6-7c0-3 1.5-4.5 2.5-6.5c1 .5 1.5 1.5 1.5 2.5
         b c1.5-2 2.5-5 2-9z
        bolt
         b M13.5 2L4.5 13.5H11L9.5 22L19 10h-6.5z
        moon
         b M20 14.5A9 9 0 1 1 10 3a7.5 7.5 0 0 0 10 11.5z
        moon.stars
         b M19 16A8.5 8.5 0 1 1 9.5 5A7 7 0 0 0 19 16zM17 3l.8 2.2l2.2.8l-2.2.8L17 9l-.8-2.2L14 6l2.2-.8z
        moon.zzz
         b M19 16A8.5 8.5 0 1 1 9.5 5A7 7 0 0 0 19 16z
         o M15 3h5l-5 5h5
        zzz
         l M4 11h7l-7 9h7M14 3h6l-6 7h6
        sun.max
         b M12 7.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z
         o M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M19.1 4.9l-1.8 1.8
         o M6.7 17.3l-1.8 1.8
        sunrise
         l M2 18h20M6.5 18a5.5 5.5 0 0 1 11 0M12 3v6M9.5 5.5L12 3l2.5 2.5M4 11l1.5 1.5M20 11l-1.5 1.5
        sunset
         l M2 18h20M6.5 18a5.5 5.5 0 0 1 11 0M12 3v6M9.5 6.5L12 9l2.5-2.5M4 11l1.5 1.5M20 11l-1.5 1.5
        cloud
         b M7 19a4.5 4.5 0 0 1-.5-9a6 6 0 0 1 11.5 1a4 4 0 0 1 0 8z
        drop
         b M12 2.5c4 5 6.5 8.5 6.5 12a6.5 6.5 0 0 1-13 0c0-3.5 2.5-7 6.5-12z
        leaf
         b M4 20C3 10 9 4 20.5 4C21 14 16 20 8 18.5
         l M4 20c2-5 5-8 10-10
        clock
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M12 6.5V12l4 2.5
        alarm
         b M12 5a8 8 0 1 1 0 16a8 8 0 1 1 0-16z
         l M12 9v4.5l3 1.5
         o M3 6l3-3M21 6l-3-3
        timer
         b M12 5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17z
         l M12 13.5L15.5 9.5
         o M9.5 2h5M12 2v3
        stopwatch
         b M12 5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17z
         l M12 9v4.5
         o M9.5 2h5M12 2v3M19 5.5l1.5 1.5
        gauge
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M12 13l4-5M6.5 13h.1M17.5 13h.1M12 6.5v.1
        calendar
         b M4 5h16v15.5H4z
         l M4 9.5h16M8 3v4M16 3v4M8 13h.1M12 13h.1M16 13h.1M8 16.7h.1M12 16.7h.1
        bell
         b M5 17c1.5-1.5 2-3 2-7a5 5 0 0 1 10 0c0 4 .5 5.5 2 7z
         o M10 20a2 2 0 0 0 4 0M12 5V3
        person
         b M12 3a4.3 4.3 0 1 1 0 8.6A4.3 4.3 0 1 1 12 3zM3.5 21c0-5 4-7.5 8.5-7.5s8.5 2.5 8.5 7.5z
        person.2
         b M8.5 5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7zM1.5 20c0-4 3-6 7-6s7 2 7 6zM16.5 6a3 3 0 1 1 0 6M17 14
         b c3 0 5.5 2 5.5 5.5h-4
        person.3
         b M12 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM6.5 19c0-3.5 2.5-5.5 5.5-5.5s5.5 2 5.5 5.5zM5 7.5
         b a2.2 2.2 0 1 1 0 4.4M1 17c0-2.5 2-4 4-4M19 7.5a2.2 2.2 0 1 0 0 4.4M23 17c0-2.5-2-4-4-4
        figure.walk
         l M12.5 4.2v.1M12 8l-1 6l3 3l1 4.5M11 14l-2 7M12 8l3.5 3.5l2.5.5M12 8L8.5 9.5L7.5 13
        figure.run
         l M15 4.2v.1M13 8l-2.5 5.5l4 2.5l-.5 5.5M10.5 13.5L8 17.5H4M13 8H8.5L7 11.5M13 8l2.5 3.5H19
        brain
         b M12 5c-1-2-4-2-5 0c-2 0-3 2-2.5 4c-2 1-2 4-.5 5.5c-.5 2.5 1 4.5 3 4.5c1 2 4 2 5 0c1 2 4 2 5 0
         b c2 0 3.5-2 3-4.5c1.5-1.5 1.5-4.5-.5-5.5c.5-2-.5-4-2.5-4c-1-2-4-2-5 0z
         l M12 5v14M8 9.5c1 0 2 .5 2 2M16 9.5c-1 0-2 .5-2 2
        brain.head.profile
         b M9 21v-4H6.5v-3.5L4.5 12.5L6.5 9.5C6.5 5 9.5 2.5 13.5 2.5c4 0 7 3 7 7c0 3-2 4.5-2 7V21z
         l M10.5 9.5c1.5 0 2 1 3 1s2-1 3.5-1
        eye
         b M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7z
         l M12 9a3 3 0 1 1 0 6a3 3 0 1 1 0-6z
        gear gearshape
         b M9.8 4.9L10.1 2.4L13.9 2.4L14.2 4.9L15.5 5.5L17.5 3.9L20.1 6.5L18.5 8.5L19.1 9.8L21.6 10.1
         b L21.6 13.9L19.1 14.2L18.5 15.5L20.1 17.5L17.5 20.1L15.5 18.5L14.2 19.1L13.9 21.6L10.1 21.6
         b L9.8 19.1L8.5 18.5L6.5 20.1L3.9 17.5L5.5 15.5L4.9 14.2L2.4 13.9L2.4 10.1L4.9 9.8L5.5 8.5L3.9 6.5
         b L6.5 3.9L8.5 5.5z
         l M12 8.8a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4z
        house
         b M3.5 11.5L12 3.5l8.5 8V20.5h-6v-6h-5v6h-6z
        book
         b M12 6C9.5 4 6 3.8 3 4.5v14c3-.7 6.5-.5 9 1.5c2.5-2 6-2.2 9-1.5v-14c-3-.7-6.5-.5-9 1.5z
         l M12 6v14
        gamecontroller
         b M7.5 6.5h9c3 0 4.5 3 5 7c.5 4-.5 5.5-2 5.5c-2 0-2.5-3-4.5-3H9c-2 0-2.5 3-4.5 3
         b c-1.5 0-2.5-1.5-2-5.5c.5-4 2-7 5-7z
         l M8 9v4M6 11h4M15.5 9.7v.1M17.5 12.2v.1
        iphone
         b M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z
         l M10.5 19h3
        ipad
         b M6 2h12a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z
         l M10.5 19h3
        desktopcomputer
         b M3 4h18v12H3z
         o M9 20.5h6M12 16v4.5
        laptopcomputer
         b M5 5h14v11H5z
         o M2 19h20
        globe
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M2.5 12h19M12 2.5c-6 6-6 13 0 19M12 2.5c6 6 6 13 0 19
        safari
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         d M16.5 7.5L13.5 13.5L7.5 16.5L10.5 10.5z
        network
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M2.5 12h19M12 2.5v19M12 2.5c-6 6-6 13 0 19
        wifi
         l M2.5 9.5c5.5-5.5 13.5-5.5 19 0M6 13c3.5-3.5 8.5-3.5 12 0M9.5 16.5c1.5-1.5 3.5-1.5 5 0M12 20v.1
        message bubble.left
         b M12 3.5c5.5 0 9.5 3.3 9.5 7.8s-4 7.7-9.5 7.7c-1 0-2-.1-3-.4c-1.2 1.2-3 2-5 2c1-1.2 1.3-2.3 1.3-3.4
         b C3.5 15.8 2.5 13.7 2.5 11.3c0-4.5 4-7.8 9.5-7.8z
        envelope
         b M3 5.5h18v13H3z
         l M3 6l9 7.5L21 6
        phone
         b M6.5 3l3.5 5l-2 2.5c1 2.5 3 4.5 5.5 5.5l2.5-2l5 3.5c0 2.5-2 3.5-4 3.5C9.5 21 3 14.5 3 7
         b c0-2 1-4 3.5-4z
        play
         b M7 4l13 8l-13 8z
        pause
         b M6 4h4v16H6zM14 4h4v16h-4z
        stop
         b M5 5h14v14H5z
        video
         b M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5z
        photo
         b M3 4.5h18v15H3z
         l M3 16l5-5l4.5 4.5L16 12l5 4.5M16.5 8.5v.1
        music.note
         b M7.5 16a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z
         o M10 18.5V4l8-1.5V6l-8 1.5
        cart
         b M6 7h15l-2 8H8z
         o M2.5 3.5H5L8 15M9 19.5v.1M17.5 19.5v.1
        gift
         b M4 11h16v10H4zM3 7h18v4H3z
         l M12 7v14M12 7C9 7 7 6 7.5 4.2C8.5 2 11.5 3.5 12 7c.5-3.5 3.5-5 4.5-2.8C17 6 15 7 12 7z
        trophy
         b M7 3h10v6a5 5 0 0 1-10 0z
         o M7 5H3.5c0 4 1.5 6 4 6M17 5h3.5c0 4-1.5 6-4 6M12 14v4M8 21h8
        target
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         d M12 10.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3z
         l M12 6.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z
        scope
         b M12 4.5a7.5 7.5 0 1 1 0 15a7.5 7.5 0 1 1 0-15z
         l M12 2v5M12 17v5M2 12h5M17 12h5
        flag
         b M5 4c4-2 8 2 14 0v10c-6 2-10-2-14 0z
         o M5 3v19
        tag
         b M3 3h8l10 10l-8 8L3 11z
         l M7.2 7.2v.1
        key
         b M7.5 8a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z
         o M12 12.5h10v3.5M18 12.5v3
        magnifyingglass
         b M10.5 3a7.5 7.5 0 1 1 0 15a7.5 7.5 0 1 1 0-15z
         o M16 16l5.5 5.5
        trash
         b M5.5 6.5l1 15h11l1-15z
         o M3.5 6.5h17M9 6.5V3.5h6v3
        pencil
         b M4 20l1-5L16.5 3.5l4 4L9 19z
        list.bullet
         l M8.5 6H21M8.5 12H21M8.5 18H21M4 6h.1M4 12h.1M4 18h.1
        line.3.horizontal
         l M3.5 6.5h17M3.5 12h17M3.5 17.5h17
        ellipsis
         d M5 10.3a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 1 1 0-3.4zM12 10.3a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 1 1 0-3.4z
         d M19 10.3a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 1 1 0-3.4z
        square.grid.2x2
         b M3.5 3.5h7v7h-7zM13.5 3.5h7v7h-7zM3.5 13.5h7v7h-7zM13.5 13.5h7v7h-7z
        apps.iphone
         b M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z
         l M9.5 6.5h.1M14.5 6.5h.1M9.5 10.5h.1M14.5 10.5h.1
        folder
         b M2.5 5h7l2 2.5h10v12h-19z
        doc
         b M5.5 2.5h8l5 5v14h-13z
         l M13.5 2.5v5h5
        chart.bar
         b M3.5 12h4v8.5h-4zM10 4h4v16.5h-4zM16.5 8.5h4v12h-4z
        chart.pie
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M12 12V2.5M12 12l8 5
        chart.line.uptrend.xyaxis
         l M3 3v18h18M6.5 15.5l4.5-5l3.5 3L21 6M17 6h4v4
        arrow.up
         l M12 21V3.5M5 10l7-7l7 7
        arrow.down
         l M12 3v17.5M5 14l7 7l7-7
        arrow.left
         l M21 12H3.5M10 5l-7 7l7 7
        arrow.right
         l M3 12h17.5M14 5l7 7l-7 7
        arrow.up.right
         l M6 18L18 6M8 6h10v10
        arrow.down.right
         l M6 6l12 12M18 8v10H8
        arrow.clockwise
         l M19.5 12A7.5 7.5 0 1 1 12 4.5h4M13 1.5l3.5 3L13 7.5
        arrow.counterclockwise
         l M4.5 12A7.5 7.5 0 1 0 12 4.5H8M11 1.5L7.5 4.5L11 7.5
        chevron.right
         l M8.5 3.5L17 12l-8.5 8.5
        chevron.left
         l M15.5 3.5L7 12l8.5 8.5
        chevron.up
         l M3.5 15.5L12 7l8.5 8.5
        chevron.down
         l M3.5 8.5L12 17l8.5-8.5
        """
}
