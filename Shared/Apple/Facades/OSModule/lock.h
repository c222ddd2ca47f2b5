// Declares nothing. The Swift module os contains the declarations.
