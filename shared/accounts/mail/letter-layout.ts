import { escapeHtml } from '../../base/html.ts'

/** The subject and the text of a mail, without a sender and a recipient. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** A template tag that puts names into a sentence, either as plain text or as HTML. */
type Format = (words: TemplateStringsArray, ...names: string[]) => string

/** A sentence about names, written once for both formats. */
export type Sentence<Names extends string[]> = (format: Format, ...names: Names) => string

/** What a mail asks its reader to do. */
export interface Action {
  button: string
  link: string
  lifetime: string
}

/** The parts of every mail, with a link or without. */
interface Parts {
  subject: string
  /** The preheader: what lists of mails show after the subject, and the mail itself does not. */
  preview: string
  product: string
  heading: string
  greeting: Sentence<[]>
  event: Sentence<[]>
  action: Action | null
  /** What to do if it was not the reader. */
  warning: string
  sender: Sentence<[]>
}

const plain: Format = (words, ...names) => String.raw({ raw: words }, ...names)

/** Isolates names, because they may run in the other direction than the text around them. */
const inHtml: Format = (words, ...names) => String.raw({ raw: words.map(escapeHtml) }, ...names.map(isolate))

const isolate = (name: string): string => `<bdi>${escapeHtml(name)}</bdi>`

/** Lays a mail out as plain text and as HTML. */
export const layOut = (parts: Parts): Letter => ({ subject: parts.subject, text: asText(parts), html: asHtml(parts) })

const asText = ({ greeting, event, action, warning, sender }: Parts): string =>
  `${[greeting(plain), event(plain), ...(action ? [action.link, action.lifetime] : []), warning, sender(plain)].join(
    '\n\n',
  )}\n`

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;line-height:1.5"

/**
 * Uses tables and inline styles, because Outlook renders with Word and some clients drop the style sheet. Clients that
 * keep it get dark colours; the others invert the light ones themselves. The table states the direction too, because
 * clients put the body into a page of their own, which may run from right to left. Nothing is loaded.
 *
 * The card has a width, because Word does not know `max-width`. A percentage of an outer table with a fixed layout is
 * that of the screen; otherwise the card would widen the outer table on a phone.
 */
function asHtml({ subject, preview, product, heading, greeting, event, action, warning, sender }: Parts): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #12161c !important }
  .card { background: #1b212a !important; border-color: #323b47 !important }
  .text { color: #e8ebf0 !important }
  .note { color: #a9b3c0 !important }
  .link { color: #8ab4f8 !important }
  .rule { border-color: #323b47 !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<div dir="ltr" lang="en" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>
<table role="presentation" class="page" dir="ltr" lang="en" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;background:#f3f5f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="520" cellpadding="0" cellspacing="0" border="0" style="width:520px;max-width:100%;background:#ffffff;border:1px solid #dde2ea;border-radius:12px">
<tr><td align="left" style="padding:28px 24px;${font};font-size:16px;overflow-wrap:anywhere">
<p class="note" style="margin:0 0 4px;color:#566170;font-size:14px;font-weight:600">${isolate(product)}</p>
<h1 class="text" style="margin:0 0 20px;color:#1c2430;font-size:22px;line-height:1.25">${escapeHtml(heading)}</h1>
<p class="text" style="margin:0 0 16px;color:#1c2430">${greeting(inHtml)}</p>
<p class="text" style="margin:0 0 24px;color:#1c2430">${event(inHtml)}</p>
${action ? actionHtml(action) : ''}<p class="text rule" style="margin:0;padding:20px 0 0;border-top:1px solid #dde2ea;color:#1c2430">${escapeHtml(warning)}</p>
</td></tr>
</table>
<p class="note" style="margin:16px 12px 0;color:#566170;${font};font-size:13px;overflow-wrap:anywhere">${sender(inHtml)}</p>
</td></tr>
</table>
</body>
</html>
`
}

/** The button's colours are styles alone: a client that strips the styles shows a plain link on a plain ground. */
function actionHtml({ button, link, lifetime }: Action): string {
  const escapedLink = escapeHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">
<tr><td align="center" style="border-radius:8px;background:#1f5fbf;mso-padding-alt:13px 24px">
<a href="${escapedLink}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:#1f5fbf;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a>
</td></tr>
</table>
<p class="note" style="margin:0 0 4px;color:#566170;font-size:14px">${escapeHtml(lifetime)} If the button does not work, copy this link into your browser:</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a class="link" href="${escapedLink}" style="color:#1f5fbf">${escapedLink}</a></p>
`
}
