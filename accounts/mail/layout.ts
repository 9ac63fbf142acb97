import { inTheDark } from '../../shared/base/colour.ts'
import type { Config } from '../../shared/base/config.ts'
import { escapeHtml } from '../../shared/base/html.ts'
import { fillText, partsOf } from '../../shared/words/fill.ts'
import type { LetterWords } from './words.ts'

/** The subject and the body of a mail. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** The texts of one mail, with open gaps. */
export interface Texts {
  subject: string
  /** The preheader: shown in lists of mails after the subject, and not in the mail. */
  preview: string
  heading: string
  greeting: string
  /** What happened. */
  event: string
  /** A list below it, if any. */
  list?: List
  /** What to do if the reader did not do it. */
  warning: string
  sender: string
}

/** A list below a sentence. */
interface List {
  heading: string
  items: readonly Item[]
}

/** The look of the sender, and its documents. */
type Brand = Pick<Config, 'accentColor' | 'logoUrl' | 'privacyUrl' | 'productName' | 'termsUrl'>

/** A text with its own gaps. */
export interface Item {
  text: string
  values: Values
}

/** The action that a mail asks for. */
interface Action {
  button: string
  link: string
  /** How long the link works. */
  limit: string
}

type Values = Readonly<Record<string, string>>

/** Fills a text's gaps. @param own values of an item in a list */
type Fill = (text: string, own?: Values) => string

/**
 * Lays a mail out as plain text and as HTML, both filled in one pass.
 *
 * @param values for the gaps; none contains the characters that isolate it in plain text
 */
export function layOut(words: LetterWords, texts: Texts, values: Values, action: Action | null, brand: Brand): Letter {
  // Most values are Latin. Left-to-right text needs no isolating characters, and some clients show them.
  const inPlain = (value: string): string => (words.dir === 'rtl' ? `\u2068${value}\u2069` : value)
  const plain: Fill = (text, own = values) =>
    fillText(text, Object.fromEntries(Object.entries(own).map(([gap, value]) => [gap, inPlain(value)])))
  const inHtml: Fill = (text, own = values) =>
    partsOf(text)
      .map(part => (typeof part === 'string' ? escapeHtml(part) : isolate('gap' in part ? (own[part.gap] ?? '') : '')))
      .join('')
  return {
    subject: plain(texts.subject),
    text: asText(words, texts, plain, action, brand),
    html: asHtml(words, texts, plain, inHtml, action, brand),
  }
}

/** Isolates a value, because it may run in the other direction than the text around it. */
const isolate = (value: string): string => `<bdi>${escapeHtml(value)}</bdi>`

/** The documents at the foot: what they are called, and their addresses. */
const documentsOf = ({ foot }: LetterWords, { privacyUrl, termsUrl }: Brand): [name: string, href: string][] => [
  ...(termsUrl === null ? [] : [[foot.terms, termsUrl] as [string, string]]),
  ...(privacyUrl === null ? [] : [[foot.privacy, privacyUrl] as [string, string]]),
]

function asText(
  words: LetterWords,
  { greeting, event, list, warning, sender }: Texts,
  fill: Fill,
  action: Action | null,
  brand: Brand,
) {
  const ask = action ? [action.link, fill(action.limit)] : []
  const listed = list
    ? [[fill(list.heading), ...list.items.map(({ text, values }) => `- ${fill(text, values)}`)].join('\n')]
    : []
  const documents = documentsOf(words, brand).map(([name, href]) => `${name}\n${href}`)
  return `${[fill(greeting), fill(event), ...listed, ...ask, fill(warning), fill(sender), ...documents].join('\n\n')}\n`
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;line-height:1.5"

/** As on pages without ACCENT_COLOR (`shared/pages/base.css`), by day and in the dark. */
const usualAccent = '#1f5fbf'
const usualInTheDark = '#8ab4f8'

/**
 * Tables and inline styles, because Outlook renders with Word and some clients drop the style sheet. Clients that keep
 * it get dark colours; the others invert the light ones. The table repeats the direction, because clients embed the
 * body in a page of their own. Nothing is loaded but an operator's logo.
 *
 * The card has a width, because Word ignores `max-width`. A percentage width of a fixed outer table is relative to the
 * screen; otherwise the card would widen the outer table on a phone.
 */
function asHtml(
  words: LetterWords,
  texts: Texts,
  plain: Fill,
  inHtml: Fill,
  action: Action | null,
  brand: Brand,
): string {
  const { dir, tag } = words
  const accent = brand.accentColor ?? usualAccent
  const dark = brand.accentColor === null ? usualInTheDark : inTheDark(brand.accentColor)
  return `<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(plain(texts.subject))}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #12161c !important }
  .card { background: #1b212a !important; border-color: #323b47 !important }
  .text { color: #e8ebf0 !important }
  .note { color: #a9b3c0 !important }
  .link { color: ${dark} !important }
  .button { background: ${dark} !important; color: #10151c !important }
  .rule { border-color: #323b47 !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<div dir="${dir}" lang="${tag}" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(plain(texts.preview))}</div>
<table role="presentation" class="page" dir="${dir}" lang="${tag}" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;background:#f3f5f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="520" cellpadding="0" cellspacing="0" border="0" style="width:520px;max-width:100%;background:#ffffff;border:1px solid #dde2ea;border-radius:12px">
<tr><td align="${dir === 'rtl' ? 'right' : 'left'}" style="padding:28px 24px;${font};font-size:16px;overflow-wrap:anywhere">
<p class="note" style="margin:0 0 4px;color:#566170;font-size:14px;font-weight:600">${headHtml(brand, inHtml)}</p>
<h1 class="text" style="margin:0 0 20px;color:#1c2430;font-size:22px;line-height:1.25">${inHtml(texts.heading)}</h1>
<p class="text" style="margin:0 0 16px;color:#1c2430">${inHtml(texts.greeting)}</p>
<p class="text" style="margin:0 0 24px;color:#1c2430">${inHtml(texts.event)}</p>
${texts.list ? listHtml(texts.list, inHtml) : ''}${action ? actionHtml(words, action, plain, accent) : ''}<p class="text rule" style="margin:0;padding:20px 0 0;border-top:1px solid #dde2ea;color:#1c2430">${inHtml(texts.warning)}</p>
</td></tr>
</table>
<p class="note" style="margin:16px 12px 0;color:#566170;${font};font-size:13px;overflow-wrap:anywhere">${inHtml(texts.sender)}</p>
${footHtml(documentsOf(words, brand))}</td></tr>
</table>
</body>
</html>
`
}

/**
 * The logo, named for clients that load no images or not its format; else the product's name. Clients show no data URIs.
 * It lies on white, because it may be dark.
 */
function headHtml({ logoUrl, productName }: Brand, inHtml: Fill): string {
  if (!logoUrl?.startsWith('https:')) return inHtml('{product}')
  const style =
    'display:inline-block;height:32px;margin-bottom:8px;max-width:100%;border:0;border-radius:6px;background:#ffffff;color:#566170'
  return `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(productName)}" height="32" style="${style}">`
}

function footHtml(documents: readonly (readonly [name: string, href: string])[]): string {
  if (documents.length === 0) return ''
  const links = documents.map(
    ([name, href]) =>
      `<a class="note" href="${escapeHtml(href)}" style="color:#566170;margin:0 8px">${escapeHtml(name)}</a>`,
  )
  return `<p class="note" style="margin:8px 4px 0;color:#566170;${font};font-size:13px">${links.join('\n')}</p>\n`
}

/** The button's colours are styles alone, so that a client that strips styles shows a plain link. */
function actionHtml({ dir, frame }: LetterWords, { button, link, limit }: Action, plain: Fill, accent: string): string {
  const escapedLink = escapeHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">
<tr><td align="center" class="button" style="border-radius:8px;background:${accent};mso-padding-alt:13px 24px">
<a href="${escapedLink}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:${accent};color:#ffffff;font-weight:600;text-decoration:none" class="button">${escapeHtml(button)}</a>
</td></tr>
</table>
<p class="note" style="margin:0 0 4px;color:#566170;font-size:14px">${escapeHtml(`${plain(limit)} ${frame.bareLink}`)}</p>
<p${dir === 'rtl' ? ' dir="ltr" align="right"' : ''} style="margin:0 0 24px;font-size:14px;word-break:break-all"><a class="link" href="${escapedLink}" style="color:${accent}">${escapedLink}</a></p>
`
}

const listHtml = ({ heading, items }: List, inHtml: Fill): string =>
  `<p class="text" style="margin:0 0 8px;color:#1c2430">${inHtml(heading)}</p>
<ul class="text" style="margin:0 0 24px;padding:0 24px;color:#1c2430">
${items.map(({ text, values }) => `<li>${inHtml(text, values)}</li>`).join('\n')}
</ul>
`
