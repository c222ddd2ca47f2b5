@_exported public import Combine
@_exported public import FoundationExtras
@_exported public import Observation
@_exported public import os
