// URLs that name vocabularies (C215). Read by src/core/tables.ts; not compiled by asc.

/**
 * Hosts and the beginnings of paths; `*` stands for any characters between the beginning and the end of a path, `$` ends a whole path.
 * docs/record.md lists them too.
 */
export const NAMESPACES: readonly string[] = `
  a9.com/-/spec/opensearch/ creativecommons.org/ns earth.google.com/kml/ gmpg.org/xfn/ java.sun.com/dtd/ java.sun.com/xml/ns/
  my.netscape.com/*.dtd ns.adobe.com/ ogp.me/ns purl.org/atom/ns purl.org/dc/ purl.org/rss/1.0/ rdfs.org/sioc/ schemas.android.com/
  schemas.google.com/ schemas.microsoft.com/ schemas.openxmlformats.org/ schemas.xmlsoap.org/ search.yahoo.com/mrss web.resource.org/cc/
  www.apple.com/DTDs/ www.facebook.com/2008/fbml www.google.com/schemas/ www.itunes.com/dtds/ www.oasis-open.org/docbook/*.dtd
  www.opengis.net/ www.openmobilealliance.org/tech/DTD/ www.sitemaps.org/schemas/ www.topografix.com/GPX/ www.w3.org/1998/Math/MathML
  www.w3.org/1999/02/22-rdf-syntax-ns www.w3.org/1999/XSL/ www.w3.org/1999/xhtml www.w3.org/1999/xlink www.w3.org/2000/01/rdf-schema
  www.w3.org/2000/09/xmldsig www.w3.org/2000/svg www.w3.org/2000/xmlns/ www.w3.org/2001/04/xmlenc www.w3.org/2001/XInclude
  www.w3.org/2001/XMLSchema www.w3.org/2002/07/owl www.w3.org/2002/xforms www.w3.org/2003/01/geo/wgs84_pos www.w3.org/2003/05/soap-
  www.w3.org/2004/02/skos/core www.w3.org/2005/08/addressing www.w3.org/2005/Atom www.w3.org/2006/vcard/ns www.w3.org/2007/app
  www.w3.org/TR/*.dtd www.w3.org/TR/REC-html40$ www.w3.org/XML/1998/namespace www.wapforum.org/DTD/ xmlns.com/ xmlns.jcp.org/
`
  .trim()
  .split(/\s+/);
