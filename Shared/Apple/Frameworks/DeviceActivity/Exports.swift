@_exported public import ManagedSettings
