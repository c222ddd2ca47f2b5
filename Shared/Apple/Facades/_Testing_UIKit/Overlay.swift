// The compiler loads a module of this name wherever `Testing` and `UIKit` are both imported, because Swift
// Testing declares an overlay for Apple's UIKit (image attachments). That overlay exists on Apple's systems
// only; this one is empty.
