#pragma once
// Debian's libxml2 is built with ICU, whose headers clash with Foundation's copy of ICU; nothing here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
