import Raster
struct Theme { var depth: ColorDepth; var isUnicode: Bool }
