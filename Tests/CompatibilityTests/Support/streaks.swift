// What the code of document 003 uses of its own project, which the document does not show.
import DeviceActivity
import Foundation
