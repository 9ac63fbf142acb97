import { guessing } from '../accounts/password/guesses.ts'
import { bodyRefusals } from '../api/implied.ts'
import type { Header } from '../api/openapi/headers.ts'
import { conditions } from '../api/openapi/problems.ts'
import type { Response } from '../api/openapi/responses.ts'
import { advice, type ErrorCode, refusals, titles } from '../shared/base/errors.ts'
import { accountsPerClient, minute } from '../shared/base/limits/windows.ts'
import { html, join, type Markup } from '../shared/prebuilt/markup.ts'
import { breakable, named, prose, sentence } from './prose.ts'
import { unseen, writeTable } from './shapes.ts'
import { codes, type Entry, resolve, type Source } from './source.ts'

/** Refusals of any request, or any with a body: clients' faults, and failures. */
export const isUsual = (code: ErrorCode): boolean => usual.has(code)

const usual = new Set<ErrorCode>([
  ...bodyRefusals.filter(code => code !== 'invalid-body'),
  'origin-not-allowed',
  'internal',
  'unavailable',
])

/** The cause of a refusal, and the setting that enables it. */
export const causeOf = (code: ErrorCode, text: string): string =>
  sentence(conditions[code] ? `${text} (${conditions[code]})` : text)

export const operationLink = ({ operation: { name }, title }: Entry): Markup => html`<a href="#${name}">${title}</a>`

const linksTo = (entries: readonly Entry[]): Markup => join(entries.map(operationLink), ', ')

/** Every code: its cause, and what a client should do. */
export function writeCodes(source: Source): Markup {
  const rows = codes.map(code => {
    const [status, text] = refusals[code]
    const users = source.entries.filter(({ operation }) => operation.codes.includes(code))
    return html`<tr id="code-${code}" data-kind="error code, ${status}"><th scope="row"><a class="anchor" href="#code-${code}"><code>${code}</code></a></th>
        <td>${status} ${titles[status] ?? ''}</td>
        <td>${prose(causeOf(code, text), source)}
        ${isUsual(code) || users.length === 0 ? null : html`<span class="note">At ${linksTo(users)}.</span>`}</td>
        <td>${prose(sentence(advice[code]), source)}</td></tr>`
  })
  return writeTable(unseen('Codes'), ['Code', 'Status', 'Cause', 'What to do'], rows)
}

/** API Gateway's own answers, by status. */
export function writeGateway({ document, anchors }: Source): Markup {
  const answers = Object.entries(document.components.responses).filter(([name]) => name.startsWith('Gateway'))
  const rows = answers.map(
    ([name, answer]) =>
      html`<tr><th scope="row">${name.replace(/\D/g, '')}</th><td>${prose((answer as Response).description, { anchors })}</td></tr>`,
  )
  return writeTable(unseen('Answers of API Gateway'), ['Status', 'Meaning'], rows)
}

export function writeLimits(source: Source): Markup {
  const limited = source.entries.filter(({ operation }) => operation.row.limit)
  const { pair, address } = guessing
  const row = (what: Markup, most: string) => html`<tr><th scope="row">${what}</th><td>${most}</td></tr>`
  const guesses = `${pair.limit} in ${pair.seconds / minute} minutes from one remote address, ${address.limit} in an hour from all`
  const rows = [
    ...limited.map(entry => row(operationLink(entry), `${entry.operation.row.limit} requests in ${minute} seconds`)),
    row(html`New accounts`, `${accountsPerClient.policy.limit} in a day`),
    row(html`Wrong passwords for one address`, guesses),
  ]
  return writeTable(unseen('Limits'), ['Operation', 'At most'], rows)
}

/** The header fields of all answers, each once. */
export function writeHeaders(source: Source): Markup {
  const responses = source.entries.flatMap(({ described }) => Object.values(described.responses))
  const found = new Map<string, Header>()
  for (const response of [...responses, ...Object.values(source.document.components.responses)]) {
    for (const [name, header] of Object.entries(resolve<Response>(source, response as Response).headers ?? {}))
      if (!found.has(name)) found.set(name, resolve<Header>(source, header as Header))
  }
  const rows = [...found].map(
    ([name, { description }]) =>
      html`<tr id="header-${name}" data-kind="header field"><th scope="row"><a class="anchor" href="#header-${name}"><code>${name}</code></a></th><td>${prose(description, source)}</td></tr>`,
  )
  return writeTable(unseen('Header fields'), ['Field', 'Meaning'], rows)
}

/** The settings that operators can change, and where they show. */
export function writeSettings(source: Source): Markup {
  const rows = Object.entries(source.settings).map(([name, { fallback, meaning }]) => {
    const users = source.entries.filter(({ settings }) => settings.includes(name))
    return html`<tr id="setting-${name}" data-kind="setting"><th scope="row"><a class="anchor" href="#setting-${name}"><code>${breakable(name)}</code></a></th>
        <td>${fallback === '' ? 'unset' : named(fallback, source)}</td>
        <td>${prose(meaning, source)} <span class="note">At ${linksTo(users)}.</span></td></tr>`
  })
  return writeTable(unseen('Settings'), ['Setting', 'Default', 'What it changes'], rows)
}
