/** Providers of personal mailboxes: an address there belongs to a person and not to a company. */
const DOMAINS = `
gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.com.br yahoo.com.mx
yahoo.com.ar yahoo.co.in yahoo.in yahoo.co.jp yahoo.com.au yahoo.co.id yahoo.com.ph yahoo.com.vn yahoo.gr yahoo.ro ymail.com
rocketmail.com myyahoo.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.at outlook.jp outlook.com.br
outlook.co.th hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.es hotmail.it hotmail.nl hotmail.be hotmail.ca hotmail.se
hotmail.com.br hotmail.com.ar hotmail.co.jp hotmail.ch live.com live.co.uk live.de live.fr live.nl live.it live.be live.ca live.se
live.dk live.no live.com.mx live.com.au live.com.pt msn.com passport.com windowslive.com icloud.com me.com mac.com aol.com aol.de
aol.fr aol.co.uk aim.com verizon.net att.net sbcglobal.net bellsouth.net comcast.net xfinity.com cox.net charter.net spectrum.net
earthlink.net mindspring.com juno.com netzero.net optonline.net frontier.com windstream.net centurylink.net q.com rogers.com
shaw.ca bell.net sympatico.ca telus.net videotron.ca proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io
tuta.com keemail.me fastmail.com fastmail.fm hey.com zoho.com zohomail.com zohomail.eu mail.com email.com usa.com gmx.com gmx.de
gmx.net gmx.at gmx.ch gmx.fr gmx.es web.de t-online.de freenet.de arcor.de 1und1.de online.de mail.de posteo.de mailbox.org
vodafone.de o2online.de kabelmail.de unitybox.de bluewin.ch hispeed.ch sunrise.ch aon.at chello.at a1.net orange.fr wanadoo.fr
free.fr sfr.fr neuf.fr laposte.net bbox.fr numericable.fr club-internet.fr voila.fr telefonica.net movistar.es ono.com terra.es
ya.com libero.it virgilio.it alice.it tin.it tim.it tiscali.it fastwebnet.it inwind.it iol.it poste.it btinternet.com
btopenworld.com virginmedia.com ntlworld.com sky.com talktalk.net tiscali.co.uk blueyonder.co.uk plusnet.com ziggo.nl kpnmail.nl
planet.nl home.nl xs4all.nl hetnet.nl telenet.be skynet.be proximus.be scarlet.be telia.com comhem.se bredband.net online.no
mail.dk sapo.pt wp.pl o2.pl onet.pl interia.pl op.pl gazeta.pl seznam.cz centrum.cz email.cz volny.cz azet.sk freemail.hu
citromail.hu abv.bg mail.bg mail.ru inbox.ru list.ru bk.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua meta.ua tut.by
uol.com.br bol.com.br terra.com.br ig.com.br globo.com rediffmail.com qq.com foxmail.com 163.com 126.com yeah.net sina.com
sohu.com aliyun.com naver.com daum.net hanmail.net nate.com hinet.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp bigpond.com
optusnet.com.au iinet.net.au xtra.co.nz walla.co.il walla.com mynet.com
`
const FREE_MAIL = new Set(DOMAINS.trim().split(/\s+/))

export const isFreeMail = (domain: string): boolean => FREE_MAIL.has(domain.toLowerCase())
