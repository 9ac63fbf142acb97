// For each rule: queries that break it, their fixes, and queries that keep it.
import type { RuleName } from '../../../catalogue/validate/rules.ts'
import { knowledge } from '../../support/catalogue/validate.ts'

const rights = [...(knowledge.wires.get('aurights')?.parameter.values ?? [])]
const many = (count: number) => Array.from({ length: count }, (_, n) => n).join('|')
const revisions = 'prop=revisions&titles=A'
const changes = 'list=recentchanges'
const deleted = 'list=alldeletedrevisions'
const watchlist = 'list=watchlist&wlowner=Ada'

/** A broken query, its finding, and the query after the first suggestion; then valid queries. */
type Case = [broken: string, name: string, value: string | undefined, mended: string | null]
export const cases: Record<RuleName, { broken: Case[]; kept: string[]; limits?: 'normal' | 'high' }> = {
  'malformed-encoding': {
    broken: [
      ['list=search&srsearch=100%', 'srsearch', '100%', 'list=search&srsearch=100%25'],
      ['list=search&srsearch=%E4%C3%A4', 'srsearch', '\ufffdä', 'list=search&srsearch=%C3%A4%C3%A4'],
      ['list=search&srsearch=%zz+a', 'srsearch', '%zz a', 'list=search&srsearch=%25zz%20a'],
      ['list=search&srsearch=a\ud800', 'srsearch', 'a\ufffd', 'list=search&srsearch=a%EF%BF%BD'],
      [
        'list=search&srs%65arch=%ED%A0%80',
        'srsearch',
        '\ufffd\ufffd\ufffd',
        'list=search&srsearch=%C3%AD%C2%A0%E2%82%AC',
      ],
    ],
    kept: [
      'list=search&srsearch=100%25',
      'list=search&srsearch=%C3%A4ä+%F0%9F%98%80',
      'list=search&srsearch=%EF%BB%BFa',
    ],
  },
  'duplicate-name': {
    broken: [
      ['list=tags&tglimit=5&tglimit=7', 'tglimit', '5', 'list=tags&tglimit=7'],
      ['list=tags&tglimit=x&tglimit=y&tg%6Cimit=7', 'tglimit', 'x', 'list=tags&tglimit=7'],
      ['list=watchlist&wltoken=a&wltoken=b&wlowner=A', 'wltoken', undefined, null],
    ],
    kept: ['list=tags&tglimit=5', 'list=tags&&tglimit=7&'],
  },
  'not-a-query': {
    broken: [
      ['action=edit&nonsense=1', 'action', 'edit', null],
      ['action=Query&list=tags', 'action', 'Query', 'action=query&list=tags'],
    ],
    kept: ['action=query&list=tags', 'action=&list=tags', 'list=tags'],
  },
  'unread-code': {
    broken: [
      ['fetch(url, options)', 'action', undefined, null],
      ['curl -d @query.txt https://wiki.example/w/api.php', 'action', undefined, null],
      ['curl https://wiki.example/w/api.php', 'action', undefined, null],
      ['requests.get(URL, params=params)', 'action', undefined, null],
      ['$params = get_params();', 'action', undefined, null],
      ['q = {"list": "tags"}; set_up(q, "tglimit", 5)', 'tglimit', '', null],
    ],
    kept: [
      'titles=Foo (bar)&prop=info',
      'srsearch=intitle(foo)&list=search',
      'srsearch="https://wiki.example"&list=search',
      "fetch('https://wiki.example/w/api.php?list=tags')",
    ],
  },
  'cut-fragment': {
    broken: [
      ['list=search&srsearch=C#&srlimit=5', 'srsearch', 'C', 'list=search&srsearch=C%23&srlimit=5'],
      [
        'list=search&srsearch=C%23+or+F#+a&srlimit=5',
        'srsearch',
        'C# or F',
        'list=search&srsearch=C%23%20or%20F%23%20a&srlimit=5',
      ],
      [
        'https://wiki.example/w/api.php#list=search&srsearch=a',
        'list',
        'search',
        'https://wiki.example/w/api.php?list=search&srsearch=a',
      ],
    ],
    kept: [
      'list=search&srsearch=C#',
      'list=search&srsearch=C#top',
      'https://wiki.example/w/api.php?list=search&srsearch=C#&srlimit=5',
      'https://wiki.example/wiki/Special:ApiSandbox#list=search&srsearch=a',
    ],
  },
  'no-module': {
    broken: [
      ['', 'list', undefined, null],
      ['titles=', 'list', undefined, null],
      ['list=&prop=&meta=&generator=', 'list', undefined, null],
    ],
    kept: [
      'list=tags',
      'list=nosuch',
      'generator=random',
      'Meta=tokens',
      'titles=A',
      'pageids=1|2&export',
      'revids=1&indexpageids',
      'titles=A&redirects&converttitles',
    ],
  },
  'unknown-module': {
    broken: [
      ['prop=inof&titles=A', 'prop', 'inof', 'prop=info&titles=A'],
      ['list=tags|nosuchthing|nosuchthing', 'list', 'nosuchthing', 'list=tags'],
      ['list=tags|', 'list', '', 'list=tags'],
      ['prop=categorys&titles=A', 'prop', 'categorys', 'prop=categories&titles=A'],
      ['generator=serach&gsrsearch=a', 'generator', 'serach', 'generator=search&gsrsearch=a'],
      ['list=constructor', 'list', 'constructor', ''],
      ['list=Tags', 'list', 'Tags', 'list=tags'],
    ],
    kept: ['list=tags|users', 'list=%1Ftags%1Fusers', 'list='],
  },
  'extension-module': {
    broken: [
      ['prop=info|extracts&titles=A', 'prop', 'extracts', null],
      ['generator=geosearch&prop=info', 'generator', 'geosearch', null],
    ],
    kept: ['prop=extract&titles=A', 'prop=info&titles=A'],
  },
  'extension-parameter': {
    broken: [
      ['prop=info&titles=A&exintro=1', 'exintro', '1', null],
      ['prop=videoinfo&titles=A&viprop=url', 'viprop', 'url', null],
      ['generator=geosearch&ggscoord=1|2', 'ggscoord', '1|2', null],
    ],
    kept: ['prop=info&titles=A&viprop=url', 'list=search&srsearch=a', 'generator=search&gsrsearch=a'],
  },
  'wrong-separator': {
    broken: [
      [`${revisions}&rvprop=user,content`, 'rvprop', 'user,content', `${revisions}&rvprop=user%7Ccontent`],
      ['list=tags,users&ususers=A', 'list', 'tags,users', 'list=tags%7Cusers&ususers=A'],
      ['prop=info&pageids=1+2', 'pageids', '1 2', 'prop=info&pageids=1%7C2'],
      [`${changes}&rcnamespace=Talk;0`, 'rcnamespace', 'Talk;0', `${changes}&rcnamespace=1%7C0`],
    ],
    kept: [
      `${revisions}&rvprop=user,nosuch`,
      'prop=info&titles=A,B',
      'list=search&srsearch=a,b',
      `${changes}&rcnamespace=User talk`,
      'list=allpages&apminsize=1,000',
    ],
  },
  'wrong-group': {
    broken: [
      ['prop=allpages', 'prop', 'allpages', 'list=allpages'],
      ['prop=info|allpages&list=users&titles=A', 'prop', 'allpages', 'prop=info&list=users%7Callpages&titles=A'],
      ['list=tags|info&titles=A', 'list', 'info', 'list=tags&titles=A&prop=info'],
    ],
    kept: ['list=allpages', 'meta=userinfo|tokens', 'generator=links&titles=A'],
  },
  'generator-not-supported': {
    broken: [
      ['generator=info&titles=A&inprop=url', 'generator', 'info', 'titles=A&inprop=url&prop=info'],
      ['generator=users', 'generator', 'users', 'list=users'],
    ],
    kept: ['generator=links&titles=A'],
  },
  'generator-not-single': {
    broken: [
      ['generator=links|images&titles=A', 'generator', 'links|images', 'generator=links&titles=A'],
      ['generator=nosuch|images&titles=A', 'generator', 'nosuch|images', 'generator=images&titles=A'],
    ],
    kept: ['generator=links&titles=A', 'list=tags|users'],
  },
  'module-deprecated': { broken: [['list=deletedrevs', 'list', 'deletedrevs', null]], kept: ['list=allrevisions'] },
  'module-repeated': {
    broken: [['list=tags|users|tags|tags', 'list', 'tags', 'list=tags%7Cusers']],
    kept: ['list=tags|users', 'prop=links&generator=links&titles=A', 'list=x|x'],
  },
  'no-page-set': {
    broken: [
      ['prop=info', 'titles', undefined, null],
      ['prop=info&titles=', 'titles', undefined, null],
      ['generator=links', 'titles', undefined, null],
      ['generator=links&prop=info', 'titles', undefined, null],
    ],
    kept: [
      'prop=info&titles=A',
      'prop=info&pageids=1',
      'prop=info&revids=1',
      'prop=info&generator=random',
      'prop=stashimageinfo&siifilekey=a',
      'generator=allpages',
      'list=tags',
      'prop=info&TITLES=A',
    ],
  },
  'page-set-conflict': {
    broken: [
      ['prop=info&titles=A&pageids=1', 'pageids', '1', 'prop=info&titles=A'],
      ['revids=2&prop=info&pageids=1&titles=A', 'titles', 'A', 'revids=2&prop=info'],
    ],
    kept: ['prop=info&titles=A|B', 'prop=info&titles=A&pageids='],
  },
  'unread-page-set': {
    broken: [
      ['list=backlinks&titles=A', 'titles', 'A', 'list=backlinks&bltitle=A'],
      ['list=logevents&titles=A', 'titles', 'A', 'list=logevents&letitle=A'],
      ['list=categorymembers&pageids=5', 'pageids', '5', 'list=categorymembers&cmpageid=5'],
      ['generator=backlinks&titles=A&prop=info', 'titles', 'A', 'generator=backlinks&gbltitle=A&prop=info'],
      ['list=backlinks&titles=A|B', 'titles', 'A|B', 'list=backlinks&bltitle=A'],
      ['list=backlinks&titles=A&bltitle=B', 'titles', 'A', 'list=backlinks&bltitle=B'],
      ['list=tags&titles=A', 'titles', 'A', 'list=tags'],
    ],
    kept: [
      'list=backlinks&bltitle=A',
      'titles=A',
      'list=backlinks&bltitle=A&titles=B&prop=info',
      'generator=links&titles=A',
      'list=deletedrevs&titles=A',
      'list=tags&titles=A&redirects',
      'list=tags&titles=',
    ],
  },
  'impossible-title': {
    broken: [
      ['prop=info&titles=A%0AB%09C', 'titles', 'A\nB\tC', 'prop=info&titles=A%7CB%7CC'],
      ['prop=info&titles=A\nB C', 'titles', 'A\nB C', 'prop=info&titles=A%7CB%20C'],
      ['prop=info&titles=[[A]]|B', 'titles', '[[A]]|B', 'prop=info&titles=A%7CB'],
      ['prop=info&titles={{A}}', 'titles', '{{A}}', 'prop=info&titles=Template%3AA'],
      ['prop=info&titles=<A>', 'titles', '<A>', 'prop=info&titles=A'],
      ['prop=info&titles=A%23b', 'titles', 'A#b', 'prop=info&titles=A'],
      ['list=backlinks&bltitle=[[A]]', 'bltitle', '[[A]]', 'list=backlinks&bltitle=A'],
      ['list=backlinks&bltitle=A%0AB', 'bltitle', 'A\nB', null],
    ],
    kept: [
      'prop=info&titles=A [b] {c}',
      'list=search&srsearch=[[A]]',
      'fetch("https://wiki.example/w/api.php?prop=info&titles={{title}}")',
    ],
  },
  'generator-prefix-missing': {
    broken: [
      ['generator=allpages&aplimit=5', 'aplimit', '5', 'generator=allpages&gaplimit=5'],
      ['generator=allpages&aplimit=5&gaplimit=7', 'aplimit', '5', 'generator=allpages&gaplimit=7'],
    ],
    kept: ['generator=allpages&gaplimit=5', 'generator=allpages&list=allpages&aplimit=5&gaplimit=6'],
  },
  'generator-prefix-unused': {
    broken: [
      ['list=allpages&gaplimit=5', 'gaplimit', '5', 'list=allpages&aplimit=5'],
      ['list=tags&gaplimit=5', 'gaplimit', '5', 'list=tags&gaplimit=5&generator=allpages'],
      ['generator=random&gaplimit=5', 'gaplimit', '5', 'generator=random&grnlimit=5'],
      ['generator=random&gaplimit=5&grnlimit=2', 'gaplimit', '5', 'generator=random&grnlimit=2'],
    ],
    kept: ['generator=allpages&gaplimit=5', 'list=allpages&aplimit=5'],
  },
  'wrong-prefix': {
    broken: [
      ['prop=categories&titles=A&pllimit=5', 'pllimit', '5', 'prop=categories&titles=A&cllimit=5'],
      ['prop=categories&titles=A&pllimit=5&cllimit=6', 'pllimit', '5', 'prop=categories&titles=A&cllimit=6'],
      ['generator=allpages&allimit=5', 'allimit', '5', 'generator=allpages&gaplimit=5'],
    ],
    kept: [
      'prop=categories&titles=A&cllimit=5',
      'prop=categories&titles=A&pllimit=x',
      'prop=categories|images&titles=A&pllimit=5',
    ],
  },
  'module-not-requested': {
    broken: [
      ['prop=info&titles=A&clshow=!hidden', 'clshow', '!hidden', 'prop=info%7Ccategories&titles=A&clshow=!hidden'],
      ['list=tags&clshow=!hidden&titles=A', 'clshow', '!hidden', 'list=tags&clshow=!hidden&titles=A&prop=categories'],
      ['list=tags&clshow=nosuch&titles=A', 'clshow', 'nosuch', 'list=tags&titles=A'],
      ['list=recentchanges|allpages&cmlimit=5', 'cmlimit', '5', 'list=recentchanges|allpages&rclimit=5'],
      ['prop=categories&titles=A&pllimit=x', 'pllimit', 'x', 'prop=categories&titles=A'],
      [
        'prop=categories|images&titles=A&pllimit=5',
        'pllimit',
        '5',
        'prop=categories%7Cimages%7Clinks&titles=A&pllimit=5',
      ],
    ],
    kept: ['prop=categories&clshow=!hidden&titles=A', 'list=tags&iwurl=1', 'prop=iwlinks&titles=A&iwurl'],
  },
  'missing-prefix': {
    broken: [
      ['list=search&srsearch=a&limit=5', 'limit', '5', 'list=search&srsearch=a&srlimit=5'],
      ['list=tags|users&limit=5', 'limit', '5', 'list=tags|users&tglimit=5'],
      ['list=allpages|random&limit=5&aplimit=2', 'limit', '5', 'list=allpages|random&rnlimit=5&aplimit=2'],
      ['list=tags&limit=5&tglimit=2', 'limit', '5', 'list=tags&tglimit=2'],
      ['generator=random&limit=5', 'limit', '5', 'generator=random&grnlimit=5'],
    ],
    kept: ['list=tags&tglimit=5', 'meta=tokens&type=csrf|watch', 'list=tags&titles=A'],
  },
  'name-case': {
    broken: [
      ['list=tags&TGlimit=5', 'TGlimit', '5', 'list=tags&tglimit=5'],
      ['LIST=tags&tglimit=5', 'LIST', 'tags', 'list=tags&tglimit=5'],
      ['prop=info&Titles=A', 'Titles', 'A', 'prop=info&titles=A'],
      ['prop=info&Titles=A&titles=B', 'Titles', 'A', 'prop=info&titles=B'],
      ['list=tags&Action=edit', 'Action', 'edit', 'list=tags'],
    ],
    kept: ['list=tags&tglimit=5', 'list=tags&APlimit=5'],
  },
  'unknown-parameter': {
    broken: [
      ['list=allpages&aplmit=5', 'aplmit', '5', 'list=allpages&aplimit=5'],
      ['list=tags&nosuch=5', 'nosuch', '5', 'list=tags'],
      ['list=allpages&count=5', 'count', '5', 'list=allpages&aplimit=5'],
      ['list=allpages&apcount=5', 'apcount', '5', 'list=allpages&aplimit=5'],
      ['list=tags&tgliimit=5&tglimit=6', 'tgliimit', '5', 'list=tags&tglimit=6'],
      ['list=tags&=5', '', '5', 'list=tags'],
      ['list=tags&APlimit=5', 'APlimit', '5', 'list=tags&tglimit=5'],
      ['list=tags&__proto__=5', '__proto__', '5', 'list=tags'],
    ],
    kept: ['list=tags&tglimit=5', 'list=tags&format=json&formatversion=2&origin=*'],
  },
  'required-missing': {
    broken: [
      ['list=search', 'srsearch', undefined, null],
      ['list=search&srsearch=', 'srsearch', '', null],
      ['list=querypage&qppage=', 'qppage', '', null],
      ['generator=search', 'gsrsearch', undefined, null],
    ],
    kept: ['list=search&srsearch=a', 'list=search&search=a', 'list=tags'],
  },
  'bad-integer': {
    broken: [
      ['list=allpages&apminsize=1,000', 'apminsize', '1,000', 'list=allpages&apminsize=1000'],
      ['list=allpages&apminsize=big', 'apminsize', 'big', 'list=allpages'],
      ['list=allpages&aplimit=', 'aplimit', '', 'list=allpages'],
      ['list=allpages&aplimit=MAX', 'aplimit', 'MAX', 'list=allpages&aplimit=max'],
      ['list=allpages&apminsize=9007199254740992', 'apminsize', '9007199254740992', 'list=allpages'],
      ['list=users&ususerids=1|x|x|2', 'ususerids', 'x', 'list=users&ususerids=1%7C2'],
      ['list=allpages&apminsize=5.0', 'apminsize', '5.0', 'list=allpages&apminsize=5'],
    ],
    kept: ['list=allpages&apminsize=%2B12', 'list=allpages&apminsize=-9007199254740991', 'list=allpages&aplimit=max'],
  },
  'limit-range': {
    broken: [
      ['list=tags&tglimit=0', 'tglimit', '0', 'list=tags&tglimit=1'],
      ['list=tags&tglimit=-5', 'tglimit', '-5', 'list=tags&tglimit=1'],
      ['list=tags&tglimit=501', 'tglimit', '501', 'list=tags&tglimit=500'],
    ],
    kept: ['list=tags&tglimit=1', 'list=tags&tglimit=500', 'list=tags&tglimit=max'],
    limits: 'normal',
  },
  'needs-high-limit': {
    broken: [
      ['list=tags&tglimit=501', 'tglimit', '501', 'list=tags&tglimit=max'],
      ['list=tags&tglimit=5000', 'tglimit', '5000', 'list=tags&tglimit=max'],
      [`list=users&ususerids=${many(51)}`, 'ususerids', many(51), null],
    ],
    kept: ['list=tags&tglimit=500', `list=users&ususerids=${many(50)}`, 'list=tags&tglimit=5001'],
  },
  'bad-value': {
    broken: [
      ['list=allpages&apfilterredir=redirect', 'apfilterredir', 'redirect', 'list=allpages&apfilterredir=redirects'],
      ['list=allpages&apfilterredir=', 'apfilterredir', '', 'list=allpages'],
      ['list=logevents&letype=stable', 'letype', 'stable', 'list=logevents'],
      ['list=allpages&apdir=Ascending', 'apdir', 'Ascending', 'list=allpages&apdir=ascending'],
      ['list=querypage&qppage=Longpage', 'qppage', 'Longpage', 'list=querypage&qppage=Longpages'],
    ],
    kept: ['list=allpages&apfilterredir=redirects', 'list=exturlusage&euprotocol=http', 'list=logevents&letype='],
  },
  'unrecognized-value': {
    broken: [
      [`${changes}&rcprop=title|userr|userr`, 'rcprop', 'userr', `${changes}&rcprop=title%7Cuser`],
      [`${changes}&rcprop=title|zzzzzzz`, 'rcprop', 'zzzzzzz', `${changes}&rcprop=title`],
      [`${changes}&rcshow=zzzzzzz`, 'rcshow', 'zzzzzzz', changes],
      [`${changes}&rcshow=%1Fminor%1Fa%7Cb%1Fbot`, 'rcshow', 'a|b', `${changes}&rcshow=%1Fminor%1Fbot`],
    ],
    kept: [`${changes}&rcprop=title|user`, `${changes}&rcprop=`, 'list=allpages&apprtype=edit&apprlevel=|sysop'],
  },
  'not-multi': {
    broken: [
      [
        'list=allpages&apfilterredir=redirects|x',
        'apfilterredir',
        'redirects|x',
        'list=allpages&apfilterredir=redirects',
      ],
      ['list=allpages&apnamespace=0|1', 'apnamespace', '0|1', 'list=allpages&apnamespace=0'],
      ['list=allpages&apminsize=%1F5', 'apminsize', '\u001f5', 'list=allpages&apminsize=5'],
      ['list=allpages&aplimit=5|6', 'aplimit', '5|6', 'list=allpages&aplimit=5'],
      ['list=allpages&aplimit=x|y', 'aplimit', 'x|y', 'list=allpages'],
    ],
    kept: ['list=search&srsearch=a|b', 'list=allpages&apfrom=a|b', `${changes}&rcnamespace=0|1`],
  },
  'too-many-values': {
    broken: [
      [
        `list=users&ususerids=${many(51)}`,
        'ususerids',
        many(51),
        `list=users&ususerids=${encodeURIComponent(many(50))}`,
      ],
      [
        `list=allusers&aurights=${rights.join('|')}`,
        'aurights',
        rights.join('|').slice(0, 200),
        `list=allusers&aurights=${rights.slice(0, 50).join('%7C')}`,
      ],
    ],
    kept: [`list=users&ususerids=${many(50)}`],
    limits: 'normal',
  },
  'all-selector': {
    broken: [
      [`${changes}&rcnamespace=*|0`, 'rcnamespace', '*', `${changes}&rcnamespace=*`],
      [`${changes}&rctype=*`, 'rctype', '*', `${changes}&rctype=categorize%7Cedit%7Cexternal%7Clog%7Cnew`],
      [`${changes}&rcshow=*|minor`, 'rcshow', '*', `${changes}&rcshow=minor`],
      [`${changes}&rcshow=*`, 'rcshow', '*', changes],
    ],
    kept: [
      `${changes}&rcnamespace=*`,
      'meta=userinfo&uiprop=*',
      'meta=allmessages&ammessages=*|a',
      'list=users&ususers=*|a',
    ],
  },
  'duplicate-value': {
    broken: [
      ['list=users&ususers=A|B|A|A', 'ususers', 'A', 'list=users&ususers=A%7CB'],
      [`${changes}&rcshow=minor|minor`, 'rcshow', 'minor', `${changes}&rcshow=minor`],
    ],
    kept: ['list=users&ususers=A|B|a', 'meta=allmessages&amargs=a|a'],
  },
  'bad-namespace': {
    broken: [
      ['list=allpages&apnamespace=Talk', 'apnamespace', 'Talk', 'list=allpages&apnamespace=1'],
      ['list=allpages&apnamespace=-1', 'apnamespace', '-1', 'list=allpages'],
      [`${changes}&rcnamespace=0|-3`, 'rcnamespace', '-3', `${changes}&rcnamespace=0`],
    ],
    kept: ['list=allpages&apnamespace=14', `${changes}&rcnamespace=-1|-2|3`, `${changes}&rcnamespace=`],
  },
  'user-subtype': {
    broken: [
      ['list=watchlist&wlowner=%235&wltoken=t', 'wlowner', '#5', null],
      ['list=blocks&bkusers=A|en>B', 'bkusers', 'en>B', 'list=blocks&bkusers=A'],
      [`${changes}&rcuser=192.0.2.0/24`, 'rcuser', '192.0.2.0/24', changes],
      [`${changes}&rcuser=2001:db8::/32`, 'rcuser', '2001:db8::/32', changes],
      ['list=usercontribs&ucuser=A|%2312', 'ucuser', '#12', 'list=usercontribs&ucuser=A'],
    ],
    kept: [
      `${changes}&rcuser=Ada`,
      `${changes}&rcuser=192.0.2.1`,
      `${changes}&rcuser=2001:db8::1`,
      `${changes}&rcuser=%23123`,
      `${changes}&rcuser=en>Ada`,
      'list=blocks&bkusers=192.0.2.0/24|2001:db8::/32',
      `${changes}&rcuser=`,
    ],
  },
  'bad-timestamp': {
    broken: [
      [`${changes}&rcstart=2026-01-31`, 'rcstart', '2026-01-31', `${changes}&rcstart=2026-01-31T00%3A00%3A00Z`],
      [`${changes}&rcstart=31 Jan 2026`, 'rcstart', '31 Jan 2026', `${changes}&rcstart=2026-01-31T00%3A00%3A00Z`],
      [
        `${changes}&rcstart=2026-01-31T12:00:00+01:00`,
        'rcstart',
        '2026-01-31T12:00:00 01:00',
        `${changes}&rcstart=2026-01-31T12%3A00%3A00%2B01%3A00`,
      ],
      [`${changes}&rcstart=yesterday`, 'rcstart', 'yesterday', changes],
      [
        `${changes}&rcstart=2026-01-31T12:00`,
        'rcstart',
        '2026-01-31T12:00',
        `${changes}&rcstart=2026-01-31T12%3A00%3A00Z`,
      ],
      [`${changes}&rcstart=`, 'rcstart', '', changes],
      [`${changes}&rcstart=NOW`, 'rcstart', 'NOW', `${changes}&rcstart=now`],
      // An impossible month, hour and minute.
      [
        `${changes}&rcstart=2026-31-01T12:00:00Z`,
        'rcstart',
        '2026-31-01T12:00:00Z',
        `${changes}&rcstart=2026-01-31T12%3A00%3A00Z`,
      ],
      [`${changes}&rcstart=2026-01-31T25:00:00Z`, 'rcstart', '2026-01-31T25:00:00Z', changes],
      [`${changes}&rcstart=20260131T126000Z`, 'rcstart', '20260131T126000Z', changes],
      [`${changes}&rcstart=20260100120000`, 'rcstart', '20260100120000', changes],
    ],
    kept: [
      '2026-01-31T12:00:00Z',
      '2026-02-31T24:59:60Z',
      '2026-01-31 12:00:00',
      '2026-01-31T12:00:00.123%2B01:00',
      '2026-01-31T12:00:00-0100',
      '20260131T120000Z',
      '20260131120000',
      '1767225600',
      '0',
      'now',
    ].map(time => `${changes}&rcstart=${time}`),
  },
  'unlikely-timestamp': {
    broken: [
      [`${changes}&rcend=20241220`, 'rcend', '20241220', `${changes}&rcend=2024-12-20T00%3A00%3A00Z`],
      [`${changes}&rcend=2024`, 'rcend', '2024', `${changes}&rcend=2024-01-01T00%3A00%3A00Z`],
      [`${changes}&rcend=202412`, 'rcend', '202412', `${changes}&rcend=2024-12-01T00%3A00%3A00Z`],
      [`${changes}&rcend=202412201015`, 'rcend', '202412201015', `${changes}&rcend=2024-12-20T10%3A15%3A00Z`],
      [`${changes}&rcend=12345`, 'rcend', '12345', null],
      [`${changes}&rcend=17323800000`, 'rcend', '17323800000', null],
    ],
    kept: [
      `${changes}&rcend=1732380000`,
      `${changes}&rcend=999999999`,
      `${changes}&rcend=20241220101500`,
      `${changes}&rcend=1732380000000`,
    ],
  },
  'unlikely-name': {
    broken: [
      ['list=usercontribs&ucuser=A;B', 'ucuser', 'A;B', 'list=usercontribs&ucuser=A%7CB'],
      ['list=users&ususers=A+B%3B+C;', 'ususers', 'A B; C;', 'list=users&ususers=A%20B%7CC'],
    ],
    kept: ['list=users&ususers=A;B|C', 'list=users&ususers=A;', `${changes}&rcuser=A;B`, 'prop=info&titles=A;B'],
  },
  'reversed-range': {
    broken: [
      [
        `${changes}&rcstart=2024-01-01T00:00:00Z&rcend=2024-02-01T00:00:00Z`,
        'rcend',
        '2024-02-01T00:00:00Z',
        `${changes}&rcstart=2024-02-01T00%3A00%3A00Z&rcend=2024-01-01T00%3A00%3A00Z`,
      ],
      [
        `${changes}&rcend=1706000000&rcdir=newer&rcstart=now`,
        'rcstart',
        'now',
        `${changes}&rcend=now&rcdir=newer&rcstart=1706000000`,
      ],
      [
        'list=allimages&aisort=timestamp&aistart=20240201000000&aiend=20240101000000',
        'aiend',
        '20240101000000',
        'list=allimages&aisort=timestamp&aistart=20240101000000&aiend=20240201000000',
      ],
      [
        'prop=imageinfo&titles=A&iistart=2024-01-01T00:00:00Z&iiend=2024-01-01T00:30:00%2B00:00',
        'iiend',
        '2024-01-01T00:30:00+00:00',
        'prop=imageinfo&titles=A&iistart=2024-01-01T00%3A30%3A00%2B00%3A00&iiend=2024-01-01T00%3A00%3A00Z',
      ],
    ],
    kept: [
      `${changes}&rcstart=2024-02-01T00:00:00Z&rcend=2024-01-01T00:00:00Z`,
      `${changes}&rcstart=2024-01-01T00:00:00Z&rcend=2024-01-01T00:00:00Z`,
      `${changes}&rcstart=2024-01-01T00:00:00Z&rcend=2024-02-01T00:00:00Z&rcdir=newer`,
      `${changes}&rcstart=2024-01-01T00:00:00%2B02&rcend=2023-12-31T22:30:00Z&rcdir=newer`,
      `${changes}&rcstart=now&rcend=20240101000000`,
      `${changes}&rcstart=2024-01-01&rcend=2024-02-01T00:00:00Z`,
      `${changes}&rcend=2024-02-01T00:00:00Z`,
    ],
  },
  'missing-namespace': {
    broken: [
      ['list=categorymembers&cmtitle=Physics', 'cmtitle', 'Physics', 'list=categorymembers&cmtitle=Category%3APhysics'],
      [
        'generator=categorymembers&gcmtitle=Physics',
        'gcmtitle',
        'Physics',
        'generator=categorymembers&gcmtitle=Category%3APhysics',
      ],
      [
        'prop=categories&titles=A&clcategories=Category:A|B|B',
        'clcategories',
        'B',
        'prop=categories&titles=A&clcategories=Category%3AA%7CCategory%3AB',
      ],
    ],
    kept: [
      'list=categorymembers&cmtitle=Kategorie:A',
      'list=categorymembers&cmtitle=',
      'list=allcategories&acprefix=A',
    ],
  },
  'looks-false': {
    broken: [
      ['list=allcategories|alllinks&alunique=0', 'alunique', '0', 'list=allcategories|alllinks'],
      ['list=alllinks&alunique=FALSE', 'alunique', 'FALSE', 'list=alllinks'],
    ],
    kept: ['list=alllinks&alunique', 'list=alllinks&alunique=', 'list=alllinks&alunique=1', 'list=tags&redirects=0'],
  },
  'deprecated-parameter': {
    broken: [
      ['list=random&rnredirect', 'rnredirect', '', null],
      ['list=categorymembers&cmtitle=Category:A&cmstartsortkey=x', 'cmstartsortkey', 'x', null],
    ],
    kept: ['list=random', 'list=categorymembers&cmtitle=Category:A&cmstartsortkey='],
  },
  'deprecated-value': {
    broken: [
      ['prop=info&titles=A&inprop=url|readable', 'inprop', 'readable', 'prop=info&titles=A&inprop=url'],
      ['list=search&srsearch=a&srprop=score', 'srprop', 'score', 'list=search&srsearch=a'],
    ],
    kept: ['prop=info&titles=A&inprop=url'],
  },
  'sensitive-in-url': {
    broken: [
      [`${watchlist}&wltoken=secret`, 'wltoken', undefined, null],
      ['generator=watchlistraw&gwrowner=Ada&gwrtoken=secret', 'gwrtoken', undefined, null],
      [`${watchlist}&token=secret`, 'token', undefined, null],
    ],
    kept: ['list=watchlist', 'list=watchlist&wltoken=', 'meta=tokens'],
  },
  'equals-default': {
    broken: [
      ['list=allpages&aplimit=10', 'aplimit', '10', 'list=allpages'],
      ['list=allpages&apnamespace=00', 'apnamespace', '00', 'list=allpages'],
      ['list=allpages&apdir=ascending', 'apdir', 'ascending', 'list=allpages'],
      [`${changes}&rcprop=ids|title|timestamp`, 'rcprop', 'ids|title|timestamp', changes],
      ['list=exturlusage&euprotocol=', 'euprotocol', '', 'list=exturlusage'],
      ['list=tags&tgprop=', 'tgprop', '', 'list=tags'],
      ['meta=allmessages&ammessages=*', 'ammessages', '*', 'meta=allmessages'],
      ['prop=imageinfo&titles=A&iiurlwidth=-1', 'iiurlwidth', '-1', 'prop=imageinfo&titles=A'],
    ],
    kept: [
      'list=allpages&aplimit=11',
      `${changes}&rcprop=ids|title`,
      'list=allpages&apfrom=',
      'list=alllinks&alunique=',
    ],
  },
  condition: {
    broken: [
      [`${deleted}&adrstart=now`, 'adrstart', 'now', deleted],
      [`${deleted}&adruser=Ada&adrfrom=a`, 'adrfrom', 'a', `${deleted}&adruser=Ada`],
      ['generator=alldeletedrevisions&gadrstart=now', 'gadrstart', 'now', 'generator=alldeletedrevisions'],
      ['prop=revisions&titles=A|B&rvlimit=1', 'rvlimit', '1', 'prop=revisions&titles=A|B'],
      ['prop=revisions&pageids=1|2&rvdir=newer', 'rvdir', 'newer', 'prop=revisions&pageids=1|2'],
      ['prop=revisions&revids=1&rvlimit=1', 'rvlimit', '1', 'prop=revisions&revids=1'],
      ['prop=revisions&generator=allpages&rvlimit=1', 'rvlimit', '1', 'prop=revisions&generator=allpages'],
      ['generator=revisions&titles=A|B&grvlimit=1', 'grvlimit', '1', 'generator=revisions&titles=A|B'],
      ['list=deletedrevs&titles=A&drfrom=a', 'drfrom', 'a', 'list=deletedrevs&titles=A'],
      ['list=deletedrevs&druser=Ada&drunique', 'drunique', '', 'list=deletedrevs&druser=Ada'],
      ['list=deletedrevs&drstart=now', 'drstart', 'now', 'list=deletedrevs'],
      ['list=deletedrevs&generator=random&drnamespace=1', 'drnamespace', '1', 'list=deletedrevs&generator=random'],
    ],
    kept: [
      `${deleted}&adruser=Ada&adrstart=now`,
      `${deleted}&adrfrom=a`,
      `${revisions}&rvlimit=5`,
      `${revisions}|A&rvlimit=5`,
      'prop=revisions&titles=A|B&rvdir=older',
      'prop=revisions&titles=A|B&rvprop=ids',
      'prop=revisions&generator=allpages&gaplimit=1&rvlimit=5',
      'prop=revisions&generator=random&rvlimit=5',
      'list=deletedrevs&drfrom=a',
      'list=deletedrevs&titles=A&drstart=now&drnamespace=0&drdir=newer',
      'list=deletedrevs&druser=Ada&drend=now&drdir=newer',
    ],
  },
  excludes: {
    broken: [
      [
        'list=categorymembers&cmtitle=Category:A&cmpageid=1',
        'cmpageid',
        '1',
        'list=categorymembers&cmtitle=Category:A',
      ],
      [
        'list=categorymembers&cmpageid=1&cmtitle=Category:A',
        'cmtitle',
        'Category:A',
        'list=categorymembers&cmpageid=1',
      ],
      [`${changes}&rcuser=A&rcexcludeuser=B`, 'rcexcludeuser', 'B', `${changes}&rcuser=A`],
      [
        'prop=contributors&titles=A&pcgroup=bot&pcrights=edit&pcexcludegroup=sysop',
        'pcexcludegroup',
        'sysop',
        'prop=contributors&titles=A&pcgroup=bot',
      ],
      [`${revisions}&rvstartid=1&rvstart=now`, 'rvstart', 'now', `${revisions}&rvstartid=1`],
      ['prop=iwlinks&titles=A&iwurl&iwprop=url', 'iwprop', 'url', 'prop=iwlinks&titles=A&iwurl'],
      ['list=random&limit=2&rnredirect&filterredir=all', 'filterredir', 'all', 'list=random&limit=2&rnredirect'],
    ],
    kept: [
      'list=categorymembers&cmtitle=Category:A&cmpageid=',
      `${changes}&rcuser=A`,
      'list=users&ususers=A&ususerids=',
    ],
  },
  needs: {
    broken: [
      ['list=categorymembers', 'cmtitle', undefined, null],
      ['list=backlinks&bltitle=', 'bltitle', undefined, null],
      ['list=usercontribs', 'ucuser', undefined, null],
      ['prop=stashimageinfo', 'siifilekey', undefined, null],
      ['generator=embeddedin', 'geititle', undefined, null],
      ['list=allpages&apprlevel=sysop', 'apprlevel', 'sysop', 'list=allpages'],
      ['prop=iwlinks&titles=A&iwtitle=B', 'iwtitle', 'B', 'prop=iwlinks&titles=A'],
      [watchlist, 'wlowner', 'Ada', 'list=watchlist'],
    ],
    kept: [
      'list=categorymembers&cmpageid=1',
      'list=categorymembers&title=A',
      'prop=stashimageinfo&siifilekey=a&siisessionkey=b',
      'list=allpages&apprlevel=sysop&apprtype=edit',
      'list=allpages&apprtype=edit',
      `${watchlist}&wltoken=t`,
    ],
  },
}
