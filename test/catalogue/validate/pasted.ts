// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of programs
// Code as people paste it, in the languages and clients that they use, and the query that each asks.
export const pasted: [code: string, query: string][] = [
  // What is assigned stands on the same line.
  ["params.list = 'tags'\nparams.tglimit =\nother = '5'", 'list=tags'],
  [
    'curl -sG "https://en.wikipedia.org/w/api.php" -d action=query -d "titles=A|B" -d prop=info | jq .',
    'https://en.wikipedia.org/w/api.php?action=query&titles=A|B&prop=info',
  ],
  [
    'URL="https://en.wikipedia.org/w/api.php"\ncurl -s -X POST "$URL" --data "action=query&prop=info&titles=$title"',
    'https://en.wikipedia.org/w/api.php?action=query&prop=info&titles=$title',
  ],
  [
    "wget -qO- --post-data='action=query&list=random' https://en.wikipedia.org/w/api.php",
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    'http GET https://en.wikipedia.org/w/api.php action==query list==search srsearch==cat',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=cat',
  ],
  [
    "$ curl -XPOST https://en.wikipedia.org/w/api.php -F action=query -F 'list=search' -F srsearch='a b'",
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=a b',
  ],
  [
    'curl "https://en.wikipedia.org/w/api.php" ^\n  -H "accept: */*" ^\n  --data-raw "action=query&list=search&srsearch=x"',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=x',
  ],
  [
    "const params = new URLSearchParams();\nparams.append('action', 'query');\nparams.append('list', 'search');\nparams.append('srsearch', q);\nfetch(`${base}?${params}`)",
    'action=query&list=search&srsearch=q',
  ],
  [
    "const u = new URL('https://en.wikipedia.org/w/api.php');\nu.searchParams.set('action', 'query');\nu.searchParams.set('meta', 'siteinfo');",
    'https://en.wikipedia.org/w/api.php?action=query&meta=siteinfo',
  ],
  [
    "u.search = new URLSearchParams({ action: 'query', prop: 'info', titles: ['A', 'B'].join('|') });",
    'action=query&prop=info&titles=A|B',
  ],
  [
    "$.ajax({\n  url: 'https://en.wikipedia.org/w/api.php',\n  data: { action: 'query', list: 'search', srsearch: 'x', format: 'json' },\n  dataType: 'jsonp',\n  success: function (d) { console.log(d.query.search); }\n});",
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=x&format=json',
  ],
  [
    "$.getJSON('https://en.wikipedia.org/w/api.php?callback=?', { action: 'query', prop: 'info', titles: 'A' }, function(d){});",
    'https://en.wikipedia.org/w/api.php?callback=?&action=query&prop=info&titles=A',
  ],
  [
    "new mw.Api().get({ action: 'query', prop: [ 'info', 'categories' ], titles: mw.config.get('wgPageName') }).then(console.log)",
    "action=query&prop=info|categories&titles=mw.config.get('wgPageName')",
  ],
  [
    "axios({ method: 'get', url: 'https://en.wikipedia.org/w/api.php', params: { action: 'query', list: 'search', srsearch: 'x' } })",
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=x',
  ],
  [
    "import requests\nparams = dict(action='query', list='search', srsearch='x', limit=5)\nr = requests.get('https://en.wikipedia.org/w/api.php', params=params, headers={'User-Agent': 'x (https://a.b)'})",
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=x&limit=5',
  ],
  [
    'params = {}\nparams["action"] = "query"\nparams["prop"] = "revisions"\nparams["titles"] = "|".join(["A", "B"])',
    'action=query&prop=revisions&titles=A|B',
  ],
  [
    'params = {\n    # what we want\n    "action": "query",\n    "list": "usercontribs",\n    "ucuser": username,  # don\'t change\n    "uclimit": 500,\n}',
    'action=query&list=usercontribs&ucuser=username&uclimit=500',
  ],
  [
    'urllib.request.urlopen("https://en.wikipedia.org/w/api.php?" + urllib.parse.urlencode({"action": "query", "list": "random"}))',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  ["result = site.api('query', prop='info', titles='A|B', http_method='GET')", 'prop=info&titles=A|B'],
  [
    "pywikibot.data.api.Request(site=site, parameters={'action': 'query', 'meta': 'userinfo'}).submit()",
    'action=query&meta=userinfo',
  ],
  [
    "site.simple_request(action='query', list='search', srsearch='x', limit=5)",
    'action=query&list=search&srsearch=x&limit=5',
  ],
  [
    "<?php\n$params = array(\n  'action' => 'query',\n  'list' => 'categorymembers',\n  'cmtitle' => 'Category:Physics',\n);\n$json = file_get_contents('https://en.wikipedia.org/w/api.php?' . http_build_query($params));",
    'https://en.wikipedia.org/w/api.php?action=query&list=categorymembers&cmtitle=Category:Physics',
  ],
  [
    'curl_setopt($ch, CURLOPT_POSTFIELDS, "action=query&list=search&srsearch=x");',
    'action=query&list=search&srsearch=x',
  ],
  [
    "$response = $client->request('GET', 'https://en.wikipedia.org/w/api.php', ['query' => ['action' => 'query', 'list' => 'random']]);",
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    "Http::get('https://en.wikipedia.org/w/api.php', ['action' => 'query', 'list' => 'random', 'limit' => 2]);",
    'https://en.wikipedia.org/w/api.php?action=query&list=random&limit=2',
  ],
  [
    'resp, err := http.PostForm("https://en.wikipedia.org/w/api.php", url.Values{"action": {"query"}, "list": {"search"}, "srsearch": {"cat"}})',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=cat',
  ],
  [
    'q := req.URL.Query()\nq.Add("action", "query")\nq.Add("list", "allpages")\nreq.URL.RawQuery = q.Encode()',
    'action=query&list=allpages',
  ],
  [
    'HTTParty.get("https://en.wikipedia.org/w/api.php", query: { action: "query", list: "search", srsearch: "cat" })',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=cat',
  ],
  ["params = { :action => 'query', :list => 'random', :rnlimit => 5 }", 'action=query&list=random&rnlimit=5'],
  [
    'var client = new HttpClient();\nvar content = new FormUrlEncodedContent(new Dictionary<string, string> { { "action", "query" }, { "list", "random" } });\nawait client.PostAsync("https://en.wikipedia.org/w/api.php", content);',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    'HttpUrl url = HttpUrl.parse("https://en.wikipedia.org/w/api.php").newBuilder()\n    .addQueryParameter("action", "query")\n    .addQueryParameter("list", "search")\n    .addQueryParameter("srsearch", term)\n    .build();',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=term',
  ],
  [
    'List<NameValuePair> params = new ArrayList<>();\nparams.add(new BasicNameValuePair("action", "query"));\nparams.add(new BasicNameValuePair("list", "random"));',
    'action=query&list=random',
  ],
  [
    'res <- GET("https://en.wikipedia.org/w/api.php", query = list(action = "query", list = "search", srsearch = "cat"))',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=cat',
  ],
  [
    'let res = client.get("https://en.wikipedia.org/w/api.php").query(&[("action", "query"), ("list", "random")]).send()?;',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    'val r = client.get("https://en.wikipedia.org/w/api.php") {\n    parameter("action", "query")\n    parameter("list", "random")\n}',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    "my $mw = MediaWiki::API->new({ api_url => 'https://en.wikipedia.org/w/api.php' });\nmy $pages = $mw->list({ action => 'query', list => 'categorymembers', cmtitle => 'Category:Physics', cmlimit => 'max' });",
    'https://en.wikipedia.org/w/api.php?action=query&list=categorymembers&cmtitle=Category:Physics&cmlimit=max',
  ],
  [
    'POST /w/api.php HTTP/1.1\nHost: en.wikipedia.org\nContent-Type: application/x-www-form-urlencoded\n\naction=query&list=random',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  ["{ list: 'search', srsearch: 'cat' }", 'list=search&srsearch=cat'],
  ["{'porp': 'info', 'titles': 'A'}", 'porp=info&titles=A'],
  ['params = { list = "search", srsearch = "cat" }', 'list=search&srsearch=cat'],
  [
    'subprocess.run(["curl", "-G", "https://en.wikipedia.org/w/api.php", "-d", "action=query", "-d", "list=random"])',
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    "mwapi.Session('https://en.wikipedia.org').get(action='query', prop='revisions', revids=32423425)",
    'https://en.wikipedia.org?action=query&prop=revisions&revids=32423425',
  ],
  [
    `curl --json '{"action":"query","list":"random"}' https://en.wikipedia.org/w/api.php`,
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    'curl https://en.wikipedia.org/w/api.php -d "{\\"action\\": \\"query\\", \\"list\\": \\"search\\", \\"srsearch\\": \\"cat\\"}"',
    'https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=cat',
  ],
  [
    `fetch('https://en.wikipedia.org/w/api.php', { method: 'POST', body: '{"action": "query", "list": "random"}' })`,
    'https://en.wikipedia.org/w/api.php?action=query&list=random',
  ],
  [
    'BASE = {"action": "query", "rnlimit": 2}\nrequests.get(URL, params={**BASE, "list": "random", "rnlimit": 5})',
    'action=query&list=random&rnlimit=5',
  ],
  [
    'const base = { action: "query", list: "search" }\napi.get({ ...base, srsearch: "cat" })',
    'action=query&list=search&srsearch=cat',
  ],
  [
    'BASE = {"action": "query", "rnlimit": 2}\nrequests.get(URL, params=dict(BASE, list="random", rnlimit=5))',
    'action=query&list=random&rnlimit=5',
  ],
  [
    'params = {"action": "query", "format": "json"}\nparams.update({"list": "random"})\nparams.update(rnlimit=5)',
    'action=query&format=json&list=random&rnlimit=5',
  ],
  [
    "$params = array_merge(['action' => 'query', 'rnlimit' => 2], ['list' => 'random', 'rnlimit' => 5]);",
    'action=query&list=random&rnlimit=5',
  ],
  [
    'const base = { action: "query" }\napi.get(Object.assign({}, base, { list: "random" }))',
    'action=query&list=random',
  ],
  ['list: random\nrnlimit: 5\nUser-Agent: me\nAccept: */*', 'list=random&rnlimit=5'],
  ['list=search&srsearch=a b\nUser-Agent: me', 'list=search&srsearch=a b'],
  [
    'User-Agent: me\nCookie: a=b\nhttps://en.wikipedia.org/w/api.php?list=random',
    'https://en.wikipedia.org/w/api.php?list=random',
  ],
  ["bot.request({ action: 'query', list: 'random' })", 'action=query&list=random'],
  [
    "superagent.get('https://en.wikipedia.org/w/api.php').query({ action: 'query' }).query({ list: 'random', rnlimit: 5 })",
    'https://en.wikipedia.org/w/api.php?action=query&list=random&rnlimit=5',
  ],
  ['url = API + "?" + "&".join(["action=query", "list=random", "rnlimit=5"])', 'action=query&list=random&rnlimit=5'],
  ['action = query\nlist = random\nrnlimit = 5', 'action=query&list=random&rnlimit=5'],
  ["api.get({ action: 'query', prop: 'info', titles })", 'action=query&prop=info&titles=titles'],
  ["api.get({ action: 'query', titles: names.join('|') })", "action=query&titles=names.join('|')"],
  ['{"action": "query", "titles": "|".join(names)}', 'action=query&titles="|".join(names)'],
  [
    'url = (f"{API}?action=query"\n       f"&list=search"\n       f"&srsearch={q}"\n       f"&srlimit=5")',
    '{API}?action=query&list=search&srsearch={q}&srlimit=5',
  ],
  [
    'uri = URI("#{BASE}?action=query&list=search&srsearch=#{CGI.escape(term)}#top")',
    '#{BASE}?action=query&list=search&srsearch=#{CGI.escape(term)}#top',
  ],
  [
    'StringBuilder sb = new StringBuilder("https://wiki.example/w/api.php?action=query");\nsb.append("&titles=").append(enc(title, "UTF-8"));\nif (limit > 0) sb.append("&cllimit=").append(limit);\nsb.append("&prop=categories");',
    'https://wiki.example/w/api.php?action=query&titles=enc(title, "UTF-8")&cllimit=limit&prop=categories',
  ],
  [
    'url = "https://wiki.example/w/api.php"\nurl += "?action=query"\nurl += "&titles=" + title\nurl += "&prop=info"\n',
    'https://wiki.example/w/api.php?action=query&titles=title&prop=info',
  ],
  [
    'fetch("https://wiki.example/w/api.php?" + $.param({action: "query", list: "search", srsearch: term, srlimit: 5}))',
    'https://wiki.example/w/api.php?action=query&list=search&srsearch=term&srlimit=5',
  ],
  [
    'WebClient.create().get().uri(b -> b.path("/w/api.php").queryParam("action","query").queryParam("titles", t).queryParam("prop","info").build())',
    '?action=query&titles=t&prop=info',
  ],
  [
    'See https://wiki.example/w/api.php?action=query&list=search&srsearch=foo_(bar)&srlimit=5). It works.',
    'https://wiki.example/w/api.php?action=query&list=search&srsearch=foo_(bar)&srlimit=5',
  ],
  [
    'ada@host:~/wiki$ curl "https://wiki.example/w/api.php" -d list=tags -d tglimit=5',
    'https://wiki.example/w/api.php?list=tags&tglimit=5',
  ],
  ["curl --form-escape -F list=tags 'https://wiki.example/w/api.php'\\", 'https://wiki.example/w/api.php?list=tags'],
  [
    'url = "https://wiki.example/w/api.php?action=query&prop=info&titles="; url += title; get(url);',
    'https://wiki.example/w/api.php?action=query&prop=info&titles=title',
  ],
]
