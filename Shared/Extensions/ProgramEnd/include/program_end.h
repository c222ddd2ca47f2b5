/* What a program for iOS needs done at its end, without a line of its own for it. Declares nothing. */
