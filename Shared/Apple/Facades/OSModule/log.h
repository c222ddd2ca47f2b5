// Declares nothing: the Swift module os does.
