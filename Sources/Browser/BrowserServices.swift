public import Gallery

/// What the program does for the browser outside of it; without one, its command says that it cannot be done.
public struct BrowserServices: Sendable {
    /// Writes pictures into files.
    public var saving: (any PictureSaving)?

    /// Shows an address in another program.
    public var opening: (any AddressOpening)?

    /// Finds the full pictures behind thumbnails; without it, the largest size that the gallery's page names is shown.
    public var details: (any DetailLoading)?

    /// None.
    public init() {}
}
