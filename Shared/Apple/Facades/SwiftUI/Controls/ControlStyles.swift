/// The styles of controls that apply in an environment.
package struct ControlStyles {
    var button: (any PrimitiveButtonStyle)?
    var label: (any LabelStyle)?
    var progress: (any ProgressViewStyle)?
    var gauge: (any GaugeStyle)?
    var toggle: (any ToggleStyle)?
    var group: (any GroupBoxStyle)?
    var picker = PickerKind.menu
    var list = ListKind.insetGrouped
    var tabs = TabKind.bar
}
enum PickerKind { case menu, segmented, wheel, inline }
enum ListKind { case insetGrouped, plain }
enum TabKind { case bar, pages }
