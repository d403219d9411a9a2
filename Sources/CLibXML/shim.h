#pragma once
// Debian's libxml2 is built with ICU, whose headers clash with Foundation's copy of ICU; nothing here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
// The conversions that libxml2 itself uses: pages are converted to UTF-8 before they are parsed.
#include <iconv.h>
