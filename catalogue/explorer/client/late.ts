// Lazy-loaded: `late` on first input, `rare` once a check asks for it. The build swaps it in for the modules it wraps.
import { writeUrl } from './copy/address.ts'
import type { QueryRequest } from './copy/request.ts'

type Late = typeof import('./late-parts.ts').parts
type Rare = typeof import('./rare-parts.ts').parts

const files = document.querySelector<HTMLElement>('[data-late]')?.dataset ?? {}
let late: Late | undefined
let rare: Rare | undefined

let isTried = false
let isRareTried = false
let isRareWanted = false

export const isLoaded = (): boolean => isTried

/** Whether a check has asked for the rare parts, which are not loaded yet. */
export const lacksRare = (): boolean => isRareWanted && !isRareTried

/** Loads the parts that are needed. If that fails, the check works without them. */
export async function loadParts(): Promise<void> {
  await Promise.all([loadLate(), isRareWanted && loadRare()])
}

async function loadLate(): Promise<void> {
  late ??= (await importParts<Late>(files.late))?.parts
  isTried = true
}

export async function loadRare(): Promise<void> {
  rare ??= (await importParts<Rare>(files.rare))?.parts
  isRareTried = true
}

const importParts = <Parts>(file = ''): Promise<{ parts: Parts } | undefined> => import(file).catch(() => undefined)

type Call = (...given: never[]) => unknown

/** A function of the late parts. @param otherwise its result before the load */
const lateOr = <Name extends keyof Late>(name: Name, otherwise: ReturnType<Late[Name]>) =>
  ((...given) => (late ? (late[name] as Call)(...given) : otherwise)) as Call as Late[Name]

/** A function of the rare parts, which a check thereby asks for. @param otherwise its result before the load */
const rareOr = <Name extends Exclude<keyof Rare, 'copied'>>(name: Name, otherwise: ReturnType<Rare[Name]>) =>
  ((...given) => {
    isRareWanted = true
    return rare ? (rare[name] as Call)(...given) : otherwise
  }) as Call as Rare[Name]

/** Before the load no code can be read, and so none is kept. */
export const readCode = lateOr('readCode', 'unread')
export const findUnread = lateOr('findUnread', [])
export const isTimestamp = lateOr('isTimestamp', true)
export const isUnlikely = lateOr('isUnlikely', false)
export const timeOf = lateOr('timeOf', Number.NaN)
export const subtypeOf = lateOr('subtypeOf', 'name')

export const valueMeant = rareOr('valueMeant', undefined)
export const queryNameMeant = rareOr('queryNameMeant', undefined)
export const parameterWords = rareOr('parameterWords', [])
export const extensionOf = rareOr('extensionOf', undefined)
export const extensionModuleOf = rareOr('extensionModuleOf', undefined)
export const findNear = rareOr('findNear', { nearest: [], distance: Number.POSITIVE_INFINITY })
export const unknownText = rareOr('unknownText', { message: () => '', fixes: () => [] })

/** The page shows a correction in its place. */
export const normalize = (): string => ''

const write = (form: keyof Rare['copied']) => (request: QueryRequest) => rare?.copied[form](request) ?? ''
export const forms: Rare['copied'] = {
  url: writeUrl,
  curl: write('curl'),
  fetch: write('fetch'),
  python: write('python'),
}
