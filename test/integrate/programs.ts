import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { bounds } from '../../accounts/password/form.ts'
import { hashPassword } from '../../accounts/password/hash.ts'
import { toPassword } from '../../accounts/password/password.ts'
import type { RunningSystem } from '../support/system/running.ts'

const blocksOf = (guide: string) =>
  [...readFileSync(join(import.meta.dirname, '../../docs', guide), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  )

/** The guides' blocks of code in order, with their languages. */
export const blocks = ['integrate.md', 'verify.md'].flatMap(blocksOf)

/** passlib's hash of `password`. */
export const passlibVector = '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'

/** The programs in docs/moving-out.md, each of which reads a hash and prints whether `password` matches it. */
export const readers = blocksOf('moving-out.md').filter(({ text }) => text.includes(passlibVector))

/** A reader as it stands, with a wrong password, and with a composed one that is typed decomposed; and what each prints. */
export async function trialsOf({ text }: { text: string }): Promise<[program: string, prints: string][]> {
  const deps = { randomBytes, config: { bcryptCost: bounds['a cost'].min } }
  const hash = await hashPassword(deps, toPassword('Ä-ä'))
  const typing = (password: string) => text.replace(/(['"])password\1/, (_, quote) => quote + password + quote)
  return [
    [text, 'true'],
    [typing('passwort'), 'false'],
    [typing('A\u0308-a\u0308').replace(passlibVector, () => hash), 'true'],
  ]
}

const examples = join(import.meta.dirname, '../../docs/examples/programs')

/** A program beside the guides, or theirs whose first line is a comment with its file name. */
export function program(file: string): string {
  if (existsSync(join(examples, file))) return readFileSync(join(examples, file), 'utf8')
  const block = blocks.find(({ text }) => [`// ${file}`, `# ${file}`].includes(text.split('\n', 1)[0] ?? ''))
  if (!block) throw new Error(`the guides have no ${file}`)
  return block.text
}

/** Within the project, so that Node finds the packages. None of it is committed. */
const parent = join(import.meta.dirname, '../../dist')

/** Writes programs of the guides, unchanged, to their files. @returns their folder */
export function folderOf(...files: string[]): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'guide-'))
  for (const file of files) writeFileSync(join(folder, file), program(file))
  return folder
}

/** A person's acts on the page that an application sends them to. They return the address that the page goes on to. */
export const visitAs =
  (running: RunningSystem, person: object) =>
  async (location: URL | string): Promise<string> => {
    const { pathname, search } = new URL(location)
    expect(pathname).toBe('/authorize')
    const page = new URL(pathname + search, running.system.baseUrl)
    const shown = await fetch(page, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect(shown.status).toBe(200)
    const answer = await running.send(
      'POST',
      '/auth/authorize',
      { request: search.slice(1), ...person },
      { 'sec-fetch-site': 'same-origin' },
    )
    expect(answer.status).toBe(200)
    return answer.body.location
  }

/** Opens an application's addresses in a browser that keeps cookies, but follows no redirect. */
export function browse(home: string, answer: (url: URL, init: RequestInit) => Promise<Response> = fetch) {
  const jar = new Map<string, string>()
  return async (address: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(pair => pair.join('=')).join('; ')
    const headers = { ...init.headers, cookie }
    const response = await answer(new URL(address, home), { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    return response
  }
}
export const leadsTo = (response: Response) => String(response.headers.get('location'))

/** A program's address, from its output. */
export async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  const said: string[] = []
  const port = await new Promise<string | undefined>(resolve => {
    const ended = [stdout, stderr].map(async output => {
      for await (const line of createInterface(output as NonNullable<typeof output>)) {
        said.push(line)
        const [, found] = /(?:(?:listening on|Running on|open) http:.*:|Tomcat started on port )(\d+)/.exec(line) ?? []
        if (found) resolve(found)
      }
    })
    Promise.all(ended).then(() => resolve(undefined))
  })
  if (port === undefined) throw new Error(said.join('\n'))
  return `http://localhost:${port}`
}
