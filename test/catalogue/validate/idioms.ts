// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of programs
// How languages say a query: writers, one a row. Whoever adds a language adds a row.

/** A value's pieces: plain text, and expressions of the program. */
export type Piece = string | { code: string }
export type Asked = { address: Piece[]; pairs: [name: string, value: Piece[]][] }

/** A language's literals, and what joins them. Absent where a language has no such idiom. */
type Language = {
  text: (plain: string) => string
  /** A literal with expressions inside. */
  filled?: (pieces: readonly Piece[]) => string
  /** Literals and expressions, joined. */
  joined?: (pieces: readonly string[]) => string
  /** The request of an address. */
  send: (address: string) => string
  map?: (pairs: readonly (readonly [name: string, value: string])[]) => string
  /** A value of the program: a variable, and an expression with quotes and brackets of its own. */
  variable: string
  nested?: string
}

const backslash = (signs: RegExp) => (plain: string) =>
  plain.replace(signs, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
const double = backslash(/[\\"]/g)
const single = backslash(/[\\']/g)
const quoted = (plain: string) => `"${double(plain)}"`
const apostrophes = (plain: string) => `'${single(plain)}'`
const twice = (quote: string) => (plain: string) => quote + plain.replaceAll(quote, quote + quote) + quote
const filled =
  (open: string, close: string, plain: (text: string) => string, hole: (code: string) => string) =>
  (pieces: readonly Piece[]) =>
    open + pieces.map(piece => (typeof piece === 'string' ? plain(piece) : hole(piece.code))).join('') + close
const by = (operator: string) => (pieces: readonly string[]) => pieces.join(operator)
const entries = (pairs: readonly (readonly [string, string])[], between: string, separator = ', ') =>
  pairs.map(([name, value]) => name + between + value).join(separator)
const quotedNames =
  (open: string, between: string, close: string, text = quoted) =>
  (pairs: readonly (readonly [string, string])[]) =>
    open + pairs.map(([name, value]) => text(name) + between + value).join(', ') + close

/**
 * A format with a blank for each expression, and the expressions behind.
 *
 * @param blank `#` is its number
 * @param plain a text's form in a format
 */
const formatted =
  (
    call: (format: string, given: string) => string,
    blank: string,
    plain: (text: string) => string = braces,
    text = quoted,
  ) =>
  (pieces: readonly Piece[]) => {
    let at = 0
    const marked = pieces.map(piece => (typeof piece === 'string' ? plain(piece) : blank.replace('#', String(at++))))
    const given = pieces.flatMap(piece => (typeof piece === 'string' ? [] : piece.code))
    return call(text(marked.join('')), given.join(', '))
  }
const percents = (plain: string) => plain.replaceAll('%', '%%')
const printf = (call: (format: string, given: string) => string, blank = '%s', text = quoted) =>
  formatted(call, blank, percents, text)
const braces = (plain: string) => plain.replaceAll('{', '{{').replaceAll('}', '}}')
const doubleBraced = (plain: string) => braces(double(plain))
const inBraces = (code: string) => `{${code}}`
const withDollar = (code: string) => `\${${code}}`
const withHash = (code: string) => `#{${code}}`
const asIs = (text: string) => text

export const languages: Record<string, Language> = {
  JavaScript: {
    text: apostrophes,
    filled: filled('`', '`', backslash(/[\\`$]/g), withDollar),
    joined: by(' + '),
    send: url => `const response = await fetch(${url});`,
    map: pairs => `const params = new URLSearchParams({ ${entries(pairs, ': ')} });`,
    variable: 'title',
    nested: 'params["a&b"].map(each => `${each}`)[0]',
  },
  TypeScript: {
    text: quoted,
    filled: filled('`', '`', backslash(/[\\`$]/g), withDollar),
    joined: pieces => `[${pieces.join(', ')}].join('')`,
    send: url => `const { data }: Answer = await axios.get<Answer>(${url});`,
    map: pairs => `const params: Record<string, string> = {\n  ${entries(pairs, ': ', ',\n  ')},\n}`,
    variable: 'title',
    nested: 'encodeURIComponent(page["title"] ?? "&")',
  },
  'JavaScript of old': {
    text: quoted,
    joined: pieces => pieces.reduce((all, piece) => `${all}.concat(${piece})`),
    send: url => `$.getJSON(${url}, function (data) { show(data); });`,
    map: quotedNames('$.getJSON(api, {', ': ', '}, show);', apostrophes),
    variable: 'title',
  },
  CoffeeScript: {
    text: apostrophes,
    filled: filled('"', '"', double, withHash),
    joined: by(' + '),
    send: url => `$.getJSON ${url}, (data) -> show data`,
    variable: 'title',
    nested: 'encodeURIComponent params["title"]',
  },
  Python: {
    text: quoted,
    filled: filled('f"', '"', doubleBraced, inBraces),
    joined: by(' + '),
    send: url => `response = requests.get(${url}, timeout=10)`,
    map: quotedNames('response = requests.get(API, params={', ': ', '})'),
    variable: 'title',
    nested: 'params["title"]["a&b"]',
  },
  'Python with brackets': {
    text: apostrophes,
    filled: filled("f'", "'", plain => braces(single(plain)), inBraces),
    joined: pieces => `(\n    ${pieces.join('\n    + ')}\n)`,
    send: url => `url = ${url}\nprint(requests.get(url).json())`,
    map: pairs => `params = dict(${entries(pairs, '=')})`,
    variable: 'title',
    nested: 'quote(row["title"], safe="")',
  },
  'Python with lists': {
    text: quoted,
    filled: printf((format, given) => `${format} % (${given},)`),
    joined: pieces => `"".join([${pieces.join(', ')}])`,
    send: url => `print(urlopen(${url}).read())`,
    map: pairs => `params = [${pairs.map(([name, value]) => `("${name}", ${value})`).join(', ')}]`,
    variable: 'title',
  },
  'Python with format': {
    text: apostrophes,
    filled: formatted((format, given) => `${format}.format(${given})`, '{}', braces, apostrophes),
    send: url => `page = session.get(${url}).json()`,
    variable: 'title',
  },
  PHP: {
    text: apostrophes,
    filled: filled('"', '"', backslash(/[\\"$]/g), inBraces),
    joined: by(' . '),
    send: url => `<?php\n$json = file_get_contents(${url});`,
    map: quotedNames('$query = http_build_query([', ' => ', ']);', apostrophes),
    variable: '$title',
    nested: "$row['a&b']",
  },
  'PHP with sprintf': {
    text: apostrophes,
    filled: printf((format, given) => `sprintf(${format}, ${given})`, '%s', apostrophes),
    joined: by('.'),
    send: url => `curl_setopt($ch, CURLOPT_URL, ${url});`,
    map: quotedNames('$params = array(', ' => ', ');', quoted),
    variable: '$title',
  },
  Ruby: {
    text: apostrophes,
    filled: filled('"', '"', backslash(/[\\"#]/g), withHash),
    joined: by(' + '),
    send: url => `page = JSON.parse(Net::HTTP.get(URI(${url})))`,
    map: pairs => `res = HTTParty.get(API, query: { ${entries(pairs, ': ')} })`,
    variable: 'title',
    nested: 'CGI.escape(params["title"])',
  },
  'Ruby with percents': {
    text: plain => `%q(${plain.replace(/[\\()]/g, '\\$&')})`,
    filled: filled('%Q{', '}', backslash(/[\\#{}]/g), withHash),
    joined: by(' << '),
    send: url => `puts URI.open(${url}).read`,
    map: quotedNames('uri.query = URI.encode_www_form({ ', ' => ', ' })', apostrophes),
    variable: 'title',
  },
  Perl: {
    text: apostrophes,
    filled: filled('"', '"', backslash(/[\\"$@]/g), asIs),
    joined: by(' . '),
    send: url => `my $answer = $ua->get(${url});`,
    map: pairs => `my %query = (${entries(pairs, ' => ')});`,
    variable: '$title',
    nested: "$page->{'title'}",
  },
  'Perl with qq': {
    text: plain => `q{${plain.replace(/[\\{}]/g, '\\$&')}}`,
    filled: filled('qq(', ')', backslash(/[\\$@()]/g), asIs),
    joined: pieces => `join('', ${pieces.join(', ')})`,
    send: url => `print get(${url});`,
    variable: '$title',
  },
  Java: {
    text: quoted,
    filled: printf((format, given) => `String.format(${format}, ${given})`),
    joined: by(' + '),
    send: url => `HttpRequest request = HttpRequest.newBuilder(URI.create(${url})).build();`,
    map: pairs =>
      `Map<String, String> params = Map.of(${pairs.map(([name, value]) => `"${name}", ${value}`).join(', ')});`,
    variable: 'title',
  },
  'Java with builders': {
    text: quoted,
    filled: printf((format, given) => `${format}.formatted(${given})`),
    joined: pieces => `new StringBuilder()${pieces.map(piece => `\n    .append(${piece})`).join('')}\n    .toString()`,
    send: url => `URL url = new URL(${url});`,
    map: pairs =>
      `Map<String, String> params = new HashMap<>();\n${pairs.map(([name, value]) => `params.put("${name}", ${value});`).join('\n')}`,
    variable: 'title',
  },
  Kotlin: {
    text: backslashDollar,
    filled: filled('"', '"', backslash(/[\\"$]/g), withDollar),
    joined: by(' + '),
    send: url => `val answer = URL(${url}).readText()`,
    map: pairs => `val params = mapOf(${pairs.map(([name, value]) => `"${name}" to ${value}`).join(', ')})`,
    variable: 'title',
    nested: 'params["title"]!!.replace("&", "%26")',
  },
  'Kotlin with buildString': {
    text: backslashDollar,
    filled: filled('"', '"', backslash(/[\\"$]/g), code => `$${code}`),
    joined: pieces => `buildString {\n${pieces.map(piece => `    append(${piece})`).join('\n')}\n}`,
    send: url => `val url = ${url}`,
    variable: 'title',
  },
  Scala: {
    text: quoted,
    filled: filled('s"', '"', plain => double(plain).replaceAll('$', '$$$$'), withDollar),
    joined: by(' + '),
    send: url => `val answer = scala.io.Source.fromURL(${url}).mkString`,
    map: quotedNames('val params = Map(', ' -> ', ')'),
    variable: 'title',
    nested: 'params("title")',
  },
  Groovy: {
    text: apostrophes,
    filled: filled('"', '"', backslash(/[\\"$]/g), withDollar),
    joined: by(' + '),
    send: url => `def json = new URL(${url}).text`,
    map: pairs => `def params = [${entries(pairs, ': ')}]`,
    variable: 'title',
    nested: 'params["title"]',
  },
  'C#': {
    text: quoted,
    filled: filled('$"', '"', doubleBraced, inBraces),
    joined: by(' + '),
    send: url => `var json = await client.GetStringAsync(${url});`,
    map: pairs =>
      `var query = new Dictionary<string, string> { ${pairs.map(([name, value]) => `["${name}"] = ${value}`).join(', ')} };`,
    variable: 'title',
    nested: 'Uri.EscapeDataString(args["title"])',
  },
  'C# with verbatim literals': {
    text: plain => `@${twice('"')(plain)}`,
    filled: formatted((format, given) => `string.Format(${format}, ${given})`, '{#}'),
    joined: pieces => `string.Concat(${pieces.join(', ')})`,
    send: url => `var request = WebRequest.Create(${url});`,
    map: pairs => `query.${pairs.map(([name, value]) => `Add("${name}", ${value});`).join('\nquery.')}`,
    variable: 'title',
  },
  'VB.NET': {
    text: twice('"'),
    filled: filled('$"', '"', plain => braces(plain.replaceAll('"', '""')), inBraces),
    joined: by(' & '),
    send: url => `Dim json As String = client.DownloadString(${url})`,
    variable: 'title',
    nested: 'Uri.EscapeDataString(row("title"))',
  },
  VBA: {
    text: twice('"'),
    joined: pieces => pieces.join(' & _\n    '),
    send: url => `request.Open "GET", ${url}, False`,
    variable: 'ActiveCell.Value',
  },
  Excel: {
    text: twice('"'),
    joined: by('&'),
    send: url => `=WEBSERVICE(${url})`,
    variable: 'ENCODEURL(A1)',
  },
  'Google Sheets': {
    text: twice('"'),
    joined: pieces => `CONCATENATE(${pieces.join('; ')})`,
    send: url => `=IMPORTDATA(${url})`,
    variable: 'A2',
  },
  'F#': {
    text: quoted,
    filled: filled('$"', '"', plain => percents(doubleBraced(plain)), inBraces),
    joined: by(' + '),
    send: url => `let json = Http.RequestString(${url})`,
    map: pairs => `let query = [ ${pairs.map(([name, value]) => `"${name}", ${value}`).join('; ')} ]`,
    variable: 'title',
  },
  Go: {
    text: quoted,
    filled: printf((format, given) => `fmt.Sprintf(${format}, ${given})`),
    joined: by(' + '),
    send: url => `resp, err := http.Get(${url})`,
    map: pairs =>
      `params := url.Values{}\n${pairs.map(([name, value]) => `params.Set("${name}", ${value})`).join('\n')}`,
    variable: 'title',
    nested: 'url.QueryEscape(titles["a&b"])',
  },
  'Go with raw literals': {
    text: plain => (plain.includes('`') ? quoted(plain) : `\`${plain}\``),
    joined: pieces => `strings.Join([]string{${pieces.join(', ')}}, "")`,
    send: url => `req, err := http.NewRequest("GET", ${url}, nil)`,
    map: quotedNames('params := map[string]string{', ': ', '}'),
    variable: 'title',
  },
  Rust: {
    text: quoted,
    filled: filled('format!("', '")', doubleBraced, inBraces),
    joined: pieces => `[${pieces.join(', ')}].concat()`,
    send: url => `let body = reqwest::blocking::get(${url})?.text()?;`,
    map: pairs => `let params = [${pairs.map(([name, value]) => `("${name}", ${value})`).join(', ')}];`,
    variable: 'title',
  },
  'Rust with raw literals': {
    text: plain => `r#"${plain}"#`,
    filled: formatted((format, given) => `format!(${format}, ${given})`, '{}'),
    joined: pieces => `concat!(${pieces.join(', ')})`,
    send: url => `let url = Url::parse(${url})?;`,
    map: pairs =>
      `let mut params = HashMap::new();\n${pairs.map(([name, value]) => `params.insert("${name}", ${value});`).join('\n')}`,
    variable: 'title',
  },
  C: {
    text: quoted,
    filled: printf((format, given) => `url, sizeof url, ${format}, ${given}`),
    joined: pieces => pieces.join(' '),
    send: url => `snprintf(${url});`,
    variable: 'title',
  },
  'C with curl': {
    text: quoted,
    joined: pieces => pieces.join('\n    '),
    send: url => `curl_easy_setopt(curl, CURLOPT_URL, ${url});`,
    variable: 'TITLE',
  },
  'C++': {
    text: plain => `std::string(${quoted(plain)})`,
    joined: by(' + '),
    send: url => `auto r = cpr::Get(cpr::Url{${url}});`,
    map: pairs =>
      `auto r = cpr::Get(cpr::Url{api}, cpr::Parameters{${pairs.map(([name, value]) => `{"${name}", ${value}}`).join(', ')}});`,
    variable: 'title',
  },
  'C++ with streams': {
    text: plain => `R"(${plain})"`,
    joined: by(' << '),
    send: url => `std::ostringstream url;\nurl << ${url};`,
    variable: 'title',
  },
  'Objective-C': {
    text: plain => `@${quoted(plain)}`,
    filled: printf(
      (format, given) => `[NSString stringWithFormat:${format}, ${given}]`,
      '%@',
      plain => `@${quoted(plain)}`,
    ),
    joined: pieces => pieces.reduce((all, piece) => `[${all} stringByAppendingString:${piece}]`),
    send: url => `NSURL *url = [NSURL URLWithString:${url}];`,
    map: quotedNames('NSDictionary *query = @{', ': ', '};', plain => `@${quoted(plain)}`),
    variable: 'title',
  },
  Swift: {
    text: quoted,
    filled: filled('"', '"', double, code => `\\(${code})`),
    joined: by(' + '),
    send: url => `let url = URL(string: ${url})!`,
    map: quotedNames('let query = [', ': ', ']'),
    variable: 'title',
    nested: 'params["title"]!.encoded(by: "&")',
  },
  'Swift with items': {
    text: plain => `#"${plain}"#`,
    filled: filled('"', '"', double, code => `\\(${code})`),
    joined: pieces => `[${pieces.join(', ')}].joined()`,
    send: url => `let (data, _) = try await URLSession.shared.data(from: URL(string: ${url})!)`,
    map: pairs =>
      `components.queryItems = [\n${pairs.map(([name, value]) => `    URLQueryItem(name: "${name}", value: ${value}),`).join('\n')}\n]`,
    variable: 'title',
  },
  Dart: {
    text: plain => `'${backslash(/[\\'$]/g)(plain)}'`,
    filled: filled("'", "'", backslash(/[\\'$]/g), withDollar),
    joined: by(' + '),
    send: url => `final response = await http.get(Uri.parse(${url}));`,
    map: quotedNames("final uri = Uri.https(host, '/w/api.php', {", ': ', '});', apostrophes),
    variable: 'title',
    nested: "params['title']",
  },
  Elixir: {
    text: plain => `"${backslash(/[\\"#]/g)(plain)}"`,
    filled: filled('"', '"', backslash(/[\\"#]/g), withHash),
    joined: by(' <> '),
    send: url => `{:ok, response} = HTTPoison.get(${url})`,
    map: pairs => `Req.get!(api, params: [${entries(pairs, ': ')}])`,
    variable: 'title',
    nested: 'URI.encode_www_form(params["title"])',
  },
  'Elixir with sigils': {
    text: plain => `~S(${plain.replace(/[()]/g, '\\$&')})`,
    filled: filled('~s|', '|', backslash(/[\\#|]/g), withHash),
    send: url => `HTTPoison.get!(${url}).body`,
    map: quotedNames('params = %{', ' => ', '}'),
    variable: 'title',
  },
  Erlang: {
    text: quoted,
    filled: formatted(
      (format, given) => `io_lib:format(${format}, [${given}])`,
      '~s',
      text => text.replaceAll('~', '~~'),
    ),
    joined: by(' ++ '),
    send: url => `{ok, Response} = httpc:request(${url}).`,
    map: pairs =>
      `Query = uri_string:compose_query([${pairs.map(([name, value]) => `{"${name}", ${value}}`).join(', ')}]).`,
    variable: 'Title',
  },
  Haskell: {
    text: quoted,
    filled: printf((format, given) => `printf ${format} ${given.replaceAll(', ', ' ')}`),
    joined: by(' ++ '),
    send: url => `main = simpleHttp (${url}) >>= putStrLn`,
    map: pairs =>
      `let opts = defaults & params .~ [${pairs.map(([name, value]) => `("${name}", ${value})`).join(', ')}]`,
    variable: 'title',
  },
  'Haskell with builders': {
    text: quoted,
    joined: by(' <> '),
    send: url => `response <- httpJSON =<< parseRequest $ ${url}`,
    variable: 'urlEncode title',
  },
  OCaml: {
    text: plain => (plain.includes('|}') ? quoted(plain) : `{|${plain}|}`),
    filled: printf((format, given) => `Printf.sprintf ${format} ${given.replaceAll(', ', ' ')}`),
    joined: by(' ^ '),
    send: url => `let body = Client.get (Uri.of_string (${url}))`,
    map: pairs => `let query = [${pairs.map(([name, value]) => `("${name}", ${value})`).join('; ')}]`,
    variable: 'title',
  },
  Clojure: {
    text: quoted,
    joined: pieces => `(str ${pieces.join(' ')})`,
    send: url => `(def answer (slurp ${url}))`,
    map: pairs => `(client/get api {:query-params {${pairs.map(([name, value]) => `:${name} ${value}`).join(', ')}}})`,
    variable: 'title',
    nested: '(codec/url-encode (:title params))',
  },
  'Clojure with strings': {
    text: quoted,
    filled: printf((format, given) => `(format ${format} ${given.replaceAll(', ', ' ')})`),
    send: url => `(-> ${url} client/get :body)`,
    map: pairs => `(client/get api {:query-params {${pairs.map(([name, value]) => `"${name}" ${value}`).join(' ')}}})`,
    variable: 'title',
  },
  'Emacs Lisp': {
    text: quoted,
    joined: pieces => `(concat ${pieces.join(' ')})`,
    send: url => `(url-retrieve-synchronously ${url})`,
    map: pairs => `(request api :params '(${pairs.map(([name, value]) => `("${name}" . ${value})`).join(' ')}))`,
    variable: 'title',
  },
  Racket: {
    text: quoted,
    joined: pieces => `(string-append ${pieces.join('\n               ')})`,
    send: url => `(define in (get-pure-port (string->url ${url})))`,
    map: pairs =>
      `(alist->form-urlencoded (list ${pairs.map(([name, value]) => `(cons '${name} ${value})`).join(' ')}))`,
    variable: 'title',
  },
  R: {
    text: quoted,
    filled: printf((format, given) => `sprintf(${format}, ${given})`),
    joined: pieces => `paste0(${pieces.join(', ')})`,
    send: url => `res <- jsonlite::fromJSON(${url})`,
    map: pairs => `res <- GET(api, query = list(${entries(pairs, ' = ')}))`,
    variable: 'title',
    nested: 'URLencode(df$title[1], reserved = TRUE)',
  },
  Julia: {
    text: backslashDollar,
    filled: filled('"', '"', backslash(/[\\"$]/g), code => `$(${code})`),
    joined: by(' * '),
    send: url => `r = HTTP.get(${url})`,
    map: quotedNames('r = HTTP.get(api; query = Dict(', ' => ', '))'),
    variable: 'title',
    nested: 'escapeuri(row["title"])',
  },
  MATLAB: {
    text: twice("'"),
    joined: pieces => `[${pieces.join(' ')}]`,
    send: url => `data = webread(${url});`,
    map: pairs => `data = webread(api, ${pairs.map(([name, value]) => `'${name}', ${value}`).join(', ')});`,
    variable: 'title',
  },
  'MATLAB with calls': {
    text: twice("'"),
    filled: printf((format, given) => `sprintf(${format}, ${given})`, '%s', twice("'")),
    joined: pieces => `strcat(${pieces.join(', ')})`,
    send: url => `text = urlread(${url});`,
    variable: 'title',
  },
  Lua: {
    text: plain => (plain.includes(']]') ? quoted(plain) : `[[${plain}]]`),
    filled: printf((format, given) => `string.format(${format}, ${given})`),
    joined: by(' .. '),
    send: url => `local body = http.request(${url})`,
    map: pairs => `local params = { ${entries(pairs, ' = ')} }`,
    variable: 'title',
  },
  Nim: {
    text: quoted,
    filled: filled('&"', '"', doubleBraced, inBraces),
    joined: by(' & '),
    send: url => `let body = client.getContent(${url})`,
    map: quotedNames('let query = encodeQuery({', ': ', '})'),
    variable: 'title',
  },
  Crystal: {
    text: plain => `"${backslash(/[\\"#]/g)(plain)}"`,
    filled: filled('"', '"', backslash(/[\\"#]/g), withHash),
    joined: by(' + '),
    send: url => `response = HTTP::Client.get(${url})`,
    map: quotedNames('params = HTTP::Params.encode({', ' => ', '})'),
    variable: 'title',
  },
  D: {
    text: plain => (plain.includes('`') ? quoted(plain) : `\`${plain}\``),
    filled: printf((format, given) => `format(${format}, ${given})`),
    joined: by(' ~ '),
    send: url => `auto content = get(${url});`,
    map: quotedNames('string[string] query = [', ': ', '];'),
    variable: 'title',
  },
  Zig: {
    text: quoted,
    filled: formatted((format, given) => `try std.fmt.allocPrint(allocator, ${format}, .{ ${given} })`, '{s}'),
    joined: by(' ++ '),
    send: url => `const url = ${url};`,
    variable: 'title',
  },
  Pascal: {
    text: twice("'"),
    joined: by(' + '),
    send: url => `Memo.Text := TFPHTTPClient.SimpleGet(${url});`,
    variable: 'Title',
    nested: "EncodeURLElement(Edits['title'].Text)",
  },
  Ada: {
    text: twice('"'),
    joined: by(' & '),
    send: url => `Answer := AWS.Client.Get (URL => ${url});`,
    variable: 'Title',
  },
  Fortran: {
    text: twice("'"),
    joined: by(' // '),
    send: url => `url = ${url}`,
    variable: 'trim(title)',
  },
  SQL: {
    text: twice("'"),
    joined: by(' || '),
    send: url => `SELECT content FROM http_get(${url});`,
    variable: 'title',
  },
  'T-SQL': {
    text: plain => `N${twice("'")(plain)}`,
    joined: pieces => `CONCAT(${pieces.join(', ')})`,
    send: url => `EXEC sp_OAMethod @http, 'open', NULL, 'GET', @url = ${url};`,
    variable: '@title',
  },
  PowerShell: {
    text: twice("'"),
    filled: filled(
      '"',
      '"',
      plain => plain.replace(/[`"$]/g, '`$&'),
      code => (/^\$\w+$/.test(code) ? `\${${code.slice(1)}}` : `$(${code})`),
    ),
    joined: by(' + '),
    send: url => `$answer = Invoke-RestMethod -Uri (${url})`,
    map: pairs => `$body = @{ ${entries(pairs, ' = ', '; ')} }\nInvoke-RestMethod $api -Body $body`,
    variable: '$title',
    nested: "[uri]::EscapeDataString($row['title'])",
  },
  'PowerShell with format': {
    text: twice("'"),
    filled: formatted((format, given) => `(${format} -f ${given})`, '{#}', braces, twice("'")),
    send: url => `Invoke-WebRequest ${url} -UseBasicParsing`,
    map: pairs => `$body = [ordered]@{\n${pairs.map(([name, value]) => `    '${name}' = ${value}`).join('\n')}\n}`,
    variable: '$title',
  },
  Tcl: {
    text: plain => (/[{}\\]/.test(plain) ? `"${backslash(/[\\"$[\]]/g)(plain)}"` : `{${plain}}`),
    filled: filled('"', '"', backslash(/[\\"$[\]]/g), asIs),
    send: url => `set token [http::geturl ${url}]`,
    map: pairs => `set query [http::formatQuery ${pairs.map(([name, value]) => `${name} ${value}`).join(' ')}]`,
    variable: '$title',
  },
  AppleScript: {
    text: quoted,
    joined: by(' & '),
    send: url => `set answer to do shell script "curl " & quoted form of (${url})`,
    variable: 'theTitle',
  },
  Smalltalk: {
    text: twice("'"),
    joined: by(' , '),
    send: url => `ZnClient new get: ${url}`,
    variable: 'title urlEncoded',
  },
  COBOL: {
    text: twice('"'),
    joined: pieces => `STRING ${pieces.map(piece => `${piece} DELIMITED BY SIZE`).join('\n    ')} INTO WS-URL`,
    send: statement => statement,
    variable: 'WS-TITLE',
  },
  ABAP: {
    text: twice("'"),
    filled: filled('|', '|', backslash(/[\\|{}]/g), code => `{ ${code} }`),
    joined: by(' && '),
    send: url => `DATA(lv_url) = ${url}.`,
    variable: 'lv_title',
  },
  Apex: {
    text: apostrophes,
    joined: by(' + '),
    send: url => `req.setEndpoint(${url});`,
    variable: "EncodingUtil.urlEncode(title, 'UTF-8')",
  },
  Raku: {
    text: plain => `'${single(plain)}'`,
    filled: filled('"', '"', backslash(/[\\"$@{}&%]/g), asIs),
    joined: by(' ~ '),
    send: url => `my $answer = (await Cro::HTTP::Client.get(${url}));`,
    map: pairs => `my %query = ${entries(pairs, ' => ')};`,
    variable: '$title',
  },
  Haxe: {
    text: quoted,
    filled: filled("'", "'", plain => single(plain).replaceAll('$', '$$$$'), withDollar),
    joined: by(' + '),
    send: url => `var http = new haxe.Http(${url});`,
    variable: 'title',
  },
  Gleam: {
    text: quoted,
    joined: by(' <> '),
    send: url => `let assert Ok(request) = request.to(${url})`,
    map: pairs => `request.set_query(req, [${pairs.map(([name, value]) => `#("${name}", ${value})`).join(', ')}])`,
    variable: 'title',
  },
  JSON: {
    text: plain => JSON.stringify(plain),
    send: url => `{"method": "GET", "url": ${url}}`,
    map: quotedNames('{', ': ', '}', plain => JSON.stringify(plain)),
    variable: '"{{title}}"',
  },
  YAML: {
    text: twice("'"),
    send: url => `http:\n  method: GET\n  url: ${url}`,
    variable: "'{{ title }}'",
  },
  HTML: {
    text: plain => `"${plain.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
    send: url => `<a href=${url}>the pages</a>`,
    variable: '"{{title}}"',
  },
  Jinja: {
    text: asIs,
    filled: filled('', '', asIs, code => `{{ ${code} }}`),
    send: url => `<a href="${url}">the pages</a>`,
    variable: 'title',
    nested: 'row["title"]',
  },
  ERB: {
    text: asIs,
    filled: filled('', '', asIs, code => `<%= ${code} %>`),
    send: url => `<a href="${url}">the pages</a>`,
    variable: 'title',
    nested: 'u(row["a&b"])',
  },
  Terraform: {
    text: quoted,
    filled: filled('"', '"', double, withDollar),
    joined: pieces => `join("", [${pieces.join(', ')}])`,
    send: url => `data "http" "pages" {\n  url = ${url}\n}`,
    variable: 'var.title',
    nested: 'urlencode(local.titles["a&b"])',
  },
  Bash: {
    text: plain => `'${plain.replaceAll("'", "'\\''")}'`,
    filled: filled('"', '"', backslash(/[\\"$`]/g), asIs),
    joined: pieces => pieces.join(''),
    send: url => `curl -s ${url} | jq .`,
    map: pairs =>
      `curl -G ${pairs.map(([name, value]) => `--data-urlencode ${name}=${value}`).join(' \\\n  ')} https://wiki.example/w/api.php`,
    variable: '"$title"',
    nested: '$(printf "%s" "$title" | jq -sRr @uri)',
  },
  'Bash with variables': {
    text: plain => `$'${single(plain)}'`,
    filled: filled('"', '"', backslash(/[\\"$`]/g), asIs),
    send: url => `URL=${url}\ncurl -sS "$URL"`,
    variable: '${title// /_}',
  },
  fish: {
    text: apostrophes,
    filled: filled('"', '"', backslash(/[\\"$]/g), asIs),
    send: url => `wget -qO- ${url}`,
    variable: '$title',
  },
}

function backslashDollar(plain: string): string {
  return `"${backslash(/[\\"$]/g)(plain)}"`
}

/** As the developer tools of browsers quote a text for Bash: what has a quote or a `!` in `$'…'`. */
const dollarQuoted = (text: string) =>
  /[!']/.test(text) ? `$'${single(text).replaceAll('!', '\\u0021')}'` : `'${text}'`

/** And for Windows' command line. */
const careted = (text: string) =>
  `^"${text
    .replace(/[\\"]/g, '\\$&')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')}^"`

/** Commands, as programs and browsers copy them. */
export const commands: Record<string, (url: string) => string> = {
  'Chrome, bash': url => `curl ${dollarQuoted(url)} \\\n  -H 'accept: */*' \\\n  -H 'user-agent: Mozilla/5.0 (X11)'`,
  'Chrome, cmd': url =>
    `curl ${careted(url)} ^\n  -H ${careted('accept: */*')} ^\n  -H ${careted('sec-ch-ua: "Chromium";v="126"')}`,
  'Chrome, PowerShell': url =>
    `Invoke-WebRequest -UseBasicParsing -Uri "${url.replace(/[`"$]/g, '`$&')}" \`\n-Headers @{\n"accept"="*/*"\n}`,
  'Chrome, fetch': url =>
    `fetch(${JSON.stringify(url)}, {\n  "headers": {\n    "accept": "*/*"\n  },\n  "method": "GET"\n});`,
  'Chrome, body, bash': url => {
    const [address = '', query = ''] = url.split('?')
    return `curl '${address}' \\\n  -H 'content-type: application/x-www-form-urlencoded' \\\n  --data-raw ${dollarQuoted(query)}`
  },
  'Chrome, body, cmd': url => {
    const [address = '', query = ''] = url.split('?')
    return `curl ${careted(address)} ^\n  -H ${careted('content-type: application/x-www-form-urlencoded')} ^\n  --data-raw ${careted(query)}`
  },
  'Firefox, POSIX': url => `curl ${dollarQuoted(url)} --compressed -H 'User-Agent: Mozilla/5.0'`,
  'Firefox, Windows': url => `curl ${careted(url)} --compressed -H ${careted('Accept: */*')}`,
  Safari: url => `curl '${url.replaceAll("'", "'\\''")}' \\\n-X 'GET' \\\n-H 'Accept: */*'`,
  'a backslash behind curl': url => `curl \\\n  -sS \\\n  '${url.replaceAll("'", "'\\''")}'`,
  'cmd, plain': url => `C:\\Users\\ada>curl "${url}"`,
  'PowerShell, curl': url => `PS C:\\> curl.exe -s "${url.replace(/[`"$]/g, '`$&')}"`,
  HTTPie: url => `http GET '${url.replaceAll("'", "'\\''")}' Accept:'*/*'`,
  'wget, spider': url => `wget --quiet --output-document=- "${url.replace(/[\\"$`]/g, '\\$&')}"`,
}

const withoutBrackets = (url: string) => url.replaceAll('(', '%28').replaceAll(')', '%29')

/** Texts in which a query stands whole: comments, and prose. */
export const places: Record<string, (url: string) => string> = {
  'a comment of C': url => `// "${url}"\n`,
  'a comment of Python': url => `# see "${url}"\n`,
  'a comment of SQL': url => `-- '${url.replaceAll("'", '%27')}'\n`,
  'a comment of Lisp': url => `;; "${url}"\n`,
  'a comment of TeX': url => `% "${url}"\n`,
  'a comment of Basic': url => `' "${url}"\n`,
  'a comment of batch files': url => `REM "${url}"\n`,
  'a comment of Pascal': url => `(* "${url}" *)\n`,
  'a comment of Haskell': url => `{- "${url}" -}\n`,
  'a comment of HTML': url => `<!-- "${url}" -->\n`,
  'a comment between stars': url => `/* "${url}" */\n`,
  'a comment of Rust': url => `//! "${url}"\n`,
  'a comment of Ruby': url => `=begin\nReads "${url}".\n=end\n`,
  'a docblock of C#': url => `/// <summary>\n/// Reads "${url}".\n/// </summary>\npublic void Read() {}\n`,
  'a comment without a space': url => `//see "${url}"\n`,
  'a docblock': url => `/**\n * Reads pages, as\n * ${url}\n * does.\n */\nfunction read() {}\n`,
  'a docblock, a pair a line': url => `/**\n * @see ${url.replaceAll('&', '\n *   &')}\n */\nfunction read() {}\n`,
  'a comment, a pair a line': url => `# ${url.replace('?', '?\n#   ').replaceAll('&', '&\n#   ')}\nx=1\n`,
  'prose, a pair a line': url => `Ask ${url.replaceAll('&', '\n  &')} for more.`,
  'a docstring': url => `def read():\n    """Reads pages, see ${url}."""\n`,
  'prose, before a full stop': url => `The pages are at ${url}.`,
  'prose, before a comma': url => `Ask ${url}, which lists them.`,
  'prose, between quotes, before a sentence': url => `Ask "${url}".\nThen show() them.\n`,
  'prose, before three dots': url => `Ask ${url}…`,
  'prose, between quotes of print': url => `The pages at “${url}”, as ‘they’ are.`,
  'prose, between quotes of German': url => `Die Seiten („${url}“) sind wenige.`,
  'prose, between quotes of French': url => `Les pages «${url}» sont peu.`,
  'prose, in wide brackets': url => `一覧は（${withoutBrackets(url)}）にある。`,
  'prose, before a wide full stop': url => `一覧は${url}。少ない。`,
  'prose, in brackets': url => `The pages (${withoutBrackets(url)}) are few.`,
  'prose, in angles': url => `The pages <${url}> are few.`,
  Markdown: url => `Take [these pages](${withoutBrackets(url)}) first.`,
  wikitext: url => `Take [${url} these pages] first.`,
}
