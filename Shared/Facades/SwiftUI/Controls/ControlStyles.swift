/// The styles of controls that hold at a place.
package struct ControlStyles {
    var button: (any PrimitiveButtonStyle)?
    var label: (any LabelStyle)?
}
