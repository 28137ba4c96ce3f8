// Hosts of short links, whose target URLs only their service knows (C213). Read by src/core/tables.ts; not compiled by asc.

/** Hosts in lower case; a name that begins with `*.` stands for all hosts below it. docs/unwrap.md lists them too. */
export const SHORT_LINK_HOSTS: readonly string[] = `
  *.app.goo.gl *.app.link *.mimecastprotect.com *.page.link *.short.gy 1url.com 2no.co 2one.in 2u.pw a.co abcn.ws acortar.link adf.ly
  adobe.ly aka.ms amzn.eu amzn.to ap.lc apple.co arg.link bbc.in bc.vc bit.do bit.ly bitly.com bitly.cx bitly.ws bityl.co bl.ink
  budurl.com buff.ly clck.ru cli.gs cnn.it cutt.ly cutt.us db.tt did.li dlvr.it dub.sh ebay.to ebay.us econ.st eepurl.com es.pn etsy.me
  f.ls fb.me ff.im flic.kr forms.gle geni.us gg.gg git.io go.ly go.sv goo.gl goo.su grabify.link han.gl hotm.art ht.ly hubs.la hubs.li
  hubs.ly huff.to hyperurl.co ibm.co ift.tt iplogger.com iplogger.org is.gd ix.sk j.mp kutt.it l.ead.me lc.cx link.sv ln.run lnkd.in
  mcaf.ee me2.kr msft.it n9.cl nyti.ms on.wsj.com ouo.io ow.ly pin.it plu.sh po.st protect-au.mimecast.com protect-ca.mimecast.com
  protect-de.mimecast.com protect-eu.mimecast.com protect-us.mimecast.com protect-usb.mimecast.com protect-za.mimecast.com psee.io
  pxlme.me qik.fi qr.ae qrco.de rb.gy rebrand.ly redd.it reurl.cc reut.rs rotf.lol s.id s4w.in search.app sh.st share.google short.gy
  shorte.st shorturl.asia shorturl.at shorturl.gg shrtco.de smarturl.it snip.ly snipurl.com snurl.com soo.gd spoti.fi spr.ly su.pr t.co
  t.ly t2m.io tcrn.ch tiny.cc tiny.one tinyurl.com tinyurl.ph tmblr.co tr.im trib.al twurl.nl u.to url.kr urlr.me urly.fi urlz.fr v.gd
  vk.cc wapo.st wp.me x.co zpr.io zyp.to
`
  .trim()
  .split(/\s+/);
