import { goals } from '../api/goals.ts'
import type { OpenapiDocument } from '../api/openapi/document.ts'
import { frameDocument, html, type Markup } from '../shared/prebuilt/markup.ts'
import { writeAbsent } from './absent.ts'
import { writeCodes, writeGateway, writeHeaders, writeLimits, writeSettings } from './errors.ts'
import { keepToken, languageChoice, writeExamples } from './examples.ts'
import { writeOperation } from './operations.ts'
import { breakable, prose } from './prose.ts'
import { writeShapes } from './shapes.ts'
import { codes, type Entry, readSource, type Source } from './source.ts'

/** A section other than those of the goals: its id, its heading and its content. */
type Chapter = readonly [id: string, heading: string, content: Markup]

/**
 * The reference: the document and the route table as one page, with a place for its style and one for its script. The gaps
 * `{{origin}}`, `{{productName}}` and `{{icon}}` are filled when it is served.
 */
export function writeReference(document: OpenapiDocument, settings: Source['settings']): string {
  const source = readSource(document, settings)
  const parts = goalsOf(source)
  const chapters = writeChapters(source)
  return frameDocument({
    title: 'The API of {{productName}}',
    description: 'Every endpoint of this API, with its errors, and examples to copy.',
    json: '/openapi.json',
    icon: '{{icon}}',
    assets: html`<style></style>
      <script type="module"></script>`,
    part: '/reference',
    account: html`<!-- if account --><a href="{{account}}">Account</a><!-- end -->`,
    brand: html`<a class="brand" href="/"><bdi>{{productName}}</bdi></a>`,
    aside: html`
      <aside class="side" aria-label="Language and contents">
      ${languageChoice()}
      ${writeNavigation(parts, chapters, source)}
      </aside>`,
    main: html`${writeStart(source)}
      ${parts.map(([id, entries]) => writeGoal(id, entries, source))}
      ${chapters.map(
        ([id, heading, content]) => html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
        ${content}
        </section>`,
      )}`,
    footer: html`<p>The same for programs: <a href="/openapi.json">OpenAPI</a>, version ${document.info.version}.</p>`,
  })
}

type Goal = keyof typeof goals

/** The goals with their operations, in order. */
function goalsOf({ entries }: Source): (readonly [Goal, Entry[]])[] {
  return (Object.keys(goals) as Goal[])
    .map(id => [id, entries.filter(({ goal }) => goal === id)] as const)
    .filter(([, found]) => found.length > 0)
}

function writeChapters(source: Source): Chapter[] {
  const paragraphs = source.document.info.description.split(/\n{2,}/)
  return [
    ['in-general', 'In general', html`${paragraphs.map(text => html`<p>${prose(text, source)}</p>`)}`],
    [
      'not-here',
      'What is not here',
      html`<p class="lead">What people look for, and what to do instead.</p> ${writeAbsent(source)}`,
    ],
    [
      'codes',
      'Errors',
      html`<p class="lead">Errors of the API are of the shape <a href="#shape-Problem">Problem</a> (RFC 9457). Programs go by
        its <code>code</code>, people read its <code>detail</code>. A code that is not listed here is a new one: go by its status.</p>
        ${writeCodes(source)}
        <h3 id="gateway">Answers of API Gateway</h3>
        <p class="lead">They come before the API is asked, or when it fails, as <code>{"message": "..."}</code> in JSON.</p>
        ${writeGateway(source)}`,
    ],
    [
      'limits',
      'Limits',
      html`<p class="lead">They count by remote address, and an operator can change them with
        ${prose('`RATE_LIMITS`', source)}. Beyond them the answer is 429 with the code
        ${prose('`too-many-requests`', source)}: wait as many seconds as <code>Retry-After</code> says.</p>
        ${writeLimits(source)}`,
    ],
    ['headers', 'Header fields', writeHeaders(source)],
    [
      'settings',
      'Settings',
      html`<p class="lead">Whoever runs this service chooses them. Programs cannot read them.</p>
        ${writeSettings(source)}`,
    ],
    ['shapes', 'Shapes', html`<p class="lead">What bodies and answers are made of.</p> ${writeShapes(source)}`],
  ]
}

function writeStart(source: Source): Markup {
  const login = source.entries.find(({ operation }) => operation.name === 'login')
  if (!login) throw new Error('the reference explains how to log in')
  return html`<h1>The API of <bdi>{{productName}}</bdi></h1>
    <p class="lead">What programs can do at <code>{{origin}}</code>.</p>
    <section class="operation" aria-labelledby="access-token">
    <div class="text">
    <h2 id="access-token">An access token</h2>
    <p>The code here can be copied and run: in a shell with curl, as a module of JavaScript, or in Python with
    <a href="https://pypi.org/project/requests/">requests</a>. It goes to the address of this page.</p>
    <p>Operations that belong to an account take an access token. <a href="#register">Register</a> an account, then log in
    and keep the token, as here: the other examples use it.</p>
    </div>
    <div class="code">
    ${writeExamples(login, 'Log in and keep the token', keepToken, 'session')}
    </div>
    </section>`
}

const writeGoal = (
  id: Goal,
  entries: readonly Entry[],
  source: Source,
): Markup => html`<section aria-labelledby="goal-${id}">
    <h2 id="goal-${id}">${goals[id]}</h2>
    ${entries.map(entry => writeOperation(entry, source))}
    </section>`

function writeNavigation(
  parts: readonly (readonly [Goal, Entry[]])[],
  chapters: readonly Chapter[],
  { document }: Source,
) {
  const links = (names: readonly string[], prefix: string) =>
    html`<ul>${names.map(name => html`<li><a href="#${prefix}${name}">${breakable(name)}</a></li>`)}</ul>`
  const listed: Record<string, Markup> = {
    codes: links(codes, 'code-'),
    shapes: links(Object.keys(document.components.schemas), 'shape-'),
  }
  return html`<nav aria-label="Contents">
    <ul>
    <li><a href="#access-token">An access token</a></li>
    </ul>
    ${parts.map(
      ([id, entries]) => html`<p><a href="#goal-${id}">${goals[id]}</a></p>
      <ul>${entries.map(({ operation: { name }, title }) => html`<li><a href="#${name}">${title}</a></li>`)}</ul>`,
    )}
    ${chapters.map(
      ([id, heading]) => html`<p><a href="#${id}">${heading}</a></p>
      ${listed[id] ? html`<details><summary>All ${heading.toLowerCase()}</summary>${listed[id]}</details>` : null}`,
    )}
    </nav>`
}
