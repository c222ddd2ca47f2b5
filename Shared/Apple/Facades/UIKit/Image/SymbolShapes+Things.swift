extension SymbolShapes {
    /// As `table`: things of daily life.
    static let moreTable = """
        crown
         b M3 7l4.5 4L12 4l4.5 7L21 7l-2 12H5z
        bed.double
         b M3 12h18v6H3z
         o M3 18v3M21 18v3M5.5 12V6.5h13V12
        graduationcap
         b M12 4.5L22.5 9.5L12 14.5L1.5 9.5z
         o M6 12v4.5c3 3 9 3 12 0V12M22.5 9.5V16
        cup.and.saucer
         b M4 7h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5z
         o M17 8.5h1.5a2.5 2.5 0 0 1 0 5H17M3 21h15
        pawprint
         b M12 12c3 0 5.5 3 5.5 5.5c0 3-3 2.5-5.5 2.5s-5.5.5-5.5-2.5C6.5 15 9 12 12 12z
         b M8.5 4a2 2.5 0 1 1 0 5a2 2.5 0 1 1 0-5zM15.5 4a2 2.5 0 1 1 0 5a2 2.5 0 1 1 0-5z
         b M4 9a1.7 2.2 0 1 1 0 4.4A1.7 2.2 0 1 1 4 9zM20 9a1.7 2.2 0 1 1 0 4.4A1.7 2.2 0 1 1 20 9z
        dumbbell
         b M5 6h3v12H5zM16 6h3v12h-3z
         o M8 12h8M2.5 9v6M21.5 9v6
        briefcase
         b M3 8h18v12H3z
         o M8.5 8V4.5h7V8
         l M3 13h18
        camera
         b M3 7.5h4.5L9 5h6l1.5 2.5H21V19H3z
         l M12 9.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7z
        link
         o M10 14a4 4 0 0 0 6 .5l3.5-3.5a4 4 0 0 0-6-6L12 6.5M14 10a4 4 0 0 0-6-.5L4.5 13a4 4 0 0 0 6 6
         o l1.5-1.5
        bookmark
         b M6 3h12v18l-6-5l-6 5z
        location
         b M21 3L3 10.5l8 2.5l2.5 8z
        map
         b M3 6l6-2.5v14.5l-6 2.5zM9 3.5L15 6v14.5L9 18zM15 6l6-2.5V18l-6 2.5z
        tv
         b M2.5 5h19v13h-19z
         o M8 21h8
        film
         b M3 4h18v16H3z
         l M7.5 4v16M16.5 4v16M3 9.3h4.5M3 14.7h4.5M16.5 9.3H21M16.5 14.7H21
        headphones
         b M3.5 14h3.5v6H5.5a2 2 0 0 1-2-2zM17 14h3.5v4a2 2 0 0 1-2 2H17z
         o M3.5 14.5V12a8.5 8.5 0 0 1 17 0v2.5
        mic
         b M12 2.5a3 3 0 0 1 3 3V11a3 3 0 0 1-6 0V5.5a3 3 0 0 1 3-3z
         o M5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M8.5 21h7
        creditcard
         b M2.5 5.5h19v13.5h-19z
         l M2.5 9.5h19M6 15h4
        newspaper
         b M3 4.5h15v15H3z
         l M6.5 8.5h8M6.5 12h8M6.5 15.5h5
         o M18 9h3v8.5a2 2 0 0 1-3 2
        paintbrush
         b M20.5 3.5c-4 1-8 5-10.5 8.5l2.5 2.5C16 12 20 7.5 20.5 3.5zM9 13c-3 0-3.5 3-3.5 4.5S4 20 3 20
         b c4 2 9 1 8.5-4z
        square.and.arrow.up
         o M8 9H5.5v12h13V9H16M12 15V2.5M8 6.5l4-4l4 4
        person.crop.circle
         b M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z
         l M12 6.5a3.3 3.3 0 1 1 0 6.6a3.3 3.3 0 1 1 0-6.6zM5.5 18.5c1-3 3.5-4 6.5-4s5.5 1 6.5 4
        car
         b M3 17v-4.5L5.5 6.5h13L21 12.5V17z
         l M5 12h14M7 14.7h.1M17 14.7h.1
         o M5.5 17v2.5M18.5 17v2.5
        rectangle.stack
         b M3 10h18v10.5H3z
         o M5 6.8h14M7 3.6h10
        bubble.left.and.bubble.right
         b M2 4h12v8.5H8L4.5 15.5v-3H2zM16 9h6v8.5h-2.5v3L16 17.5h-6v-3
        infinity
         o M12 12c-2-3-3.5-4.5-6-4.5a4.5 4.5 0 0 0 0 9c2.5 0 4-1.5 6-4.5c2-3 3.5-4.5 6-4.5
         o a4.5 4.5 0 0 1 0 9c-2.5 0-4-1.5-6-4.5z
        power
         o M12 2.5V11M6.5 6.5a8 8 0 1 0 11 0
        tortoise
         b M3.5 16c0-5 4-8.5 8.5-8.5s7.5 3.5 7.5 8.5z
         o M19.5 14.5c2 0 3-1 3-2.5s-2-2-3-1M6 16v3M16 16v3M3.5 16l-2 1
        hare
         b M4 17c-1-4 2-7.5 7-7.5L15 3c1 2.5.5 5-.5 7c3 .5 5.5 2.5 5.5 4.5c0 1.5-1.5 2.5-4 2.5z
         o M6 17v2.5M14 17v2.5
        airplane
         b M11 2.5c1-1 2 0 2 1.5v5l8 5v2l-8-2.5v5l2.5 2v1.5L12 21l-3.5 1v-1.5l2.5-2v-5L3 16v-2l8-5z
        fork.knife
         o M7 3v18M4 3v5a3 3 0 0 0 6 0V3M17 21V3c-2.5 1.5-3.5 4.5-3.5 9H17
        """
}
