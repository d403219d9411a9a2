import Pipeline
public import Thumbnails

extension ThumbnailOptions {
    /// The defaults, but for memory pressure: a test process is as large as all its tests, and its machine as short of memory as others make it.
    public static var test: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.pressure = MemoryPressure(residentLimit: .max)
        options.pressure.stallLimit = .infinity
        options.pressure.groupShare = .infinity
        return options
    }
}
