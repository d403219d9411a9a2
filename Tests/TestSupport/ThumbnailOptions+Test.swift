import Pipeline
public import Thumbnails

extension ThumbnailOptions {
    /// The default options without memory pressure, since a test process holds all its tests, and others may use up the machine's memory.
    public static var test: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.pressure = MemoryPressure(residentLimit: .max)
        options.pressure.stallLimit = .infinity
        options.pressure.groupShare = .infinity
        return options
    }
}
