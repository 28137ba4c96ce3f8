// Hosts of short links, whose target URLs only their service knows (C213). Read by src/core/tables.ts; not compiled by asc.

/** Hosts in lower case; a name that begins with `*.` stands for all hosts below it. docs/unwrap.md lists them too. */
export const SHORT_LINK_HOSTS: readonly string[] = `
  *.app.goo.gl *.app.link *.mimecastprotect.com *.page.link 1url.com a.co abcn.ws acortar.link adf.ly adobe.ly aka.ms amzn.eu amzn.to
  apple.co bbc.in bc.vc bit.do bit.ly bitly.com bitly.ws bl.ink budurl.com buff.ly cli.gs clck.ru cnn.it cutt.ly db.tt dlvr.it dub.sh
  ebay.to ebay.us econ.st eepurl.com es.pn etsy.me fb.me ff.im flic.kr forms.gle geni.us git.io goo.gl goo.su han.gl hubs.la hubs.li
  hubs.ly huff.to hyperurl.co ibm.co ift.tt is.gd j.mp kutt.it l.ead.me lnkd.in mcaf.ee me2.kr msft.it n9.cl nyti.ms on.wsj.com ouo.io
  ow.ly pin.it po.st protect-au.mimecast.com protect-ca.mimecast.com protect-de.mimecast.com protect-eu.mimecast.com
  protect-us.mimecast.com protect-usb.mimecast.com protect-za.mimecast.com qr.ae qrco.de rb.gy rebrand.ly redd.it reut.rs rotf.lol s.id
  sh.st short.gy shorte.st shorturl.at shorturl.gg shrtco.de smarturl.it snip.ly snipurl.com snurl.com soo.gd spoti.fi spr.ly su.pr t.co
  t.ly t2m.io tcrn.ch tiny.cc tiny.one tinyurl.com tmblr.co tr.im trib.al twurl.nl u.to url.kr urlr.me urlz.fr v.gd vk.cc wapo.st wp.me
  x.co zpr.io
`
  .trim()
  .split(/\s+/);
