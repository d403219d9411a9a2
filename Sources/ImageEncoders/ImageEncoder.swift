public import Raster

/// Encodes pixels with the real libraries: for the painter of the shipped gallery, tests and benchmarks; not part of the product.
public enum ImageEncoder {}
