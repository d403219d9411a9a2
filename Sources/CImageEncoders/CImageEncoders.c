#include "CImageEncoders.h"
