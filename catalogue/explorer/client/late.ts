// Lazy-loaded on first input. The build swaps it in for the modules it wraps.
type Parts = typeof import('./late-parts.ts').parts

const file = document.querySelector<HTMLElement>('[data-late]')?.dataset.late ?? ''
let parts: Parts | undefined

let isTried = false

export const isLoaded = (): boolean => isTried

/** Loads the parts. If that fails, check and search work without them. */
export async function loadParts(): Promise<Parts | undefined> {
  const loaded: { parts: Parts } | undefined = await import(file).catch(() => undefined)
  parts ??= loaded?.parts
  isTried = true
  return parts
}

/** Before the load no code can be read, and so none is kept. */
export const readCode: Parts['readCode'] = text => (parts ? parts.readCode(text) : 'unread')
export const timestampsMeant: Parts['timestampsMeant'] = text => parts?.timestampsMeant(text) ?? []
export const valueMeant: Parts['valueMeant'] = (text, parameter) => parts?.valueMeant(text, parameter)
export const queryNameMeant: Parts['queryNameMeant'] = name => parts?.queryNameMeant(name)
export const parameterWords: Parts['parameterWords'] = name => parts?.parameterWords(name) ?? []
export const extensionOf: Parts['extensionOf'] = module => parts?.extensionOf(module)
export const extensionModuleOf: Parts['extensionModuleOf'] = (name, asked) => parts?.extensionModuleOf(name, asked)
export const findUnread: Parts['findUnread'] = (...given) => parts?.findUnread(...given) ?? []
export const findClear: Parts['findClear'] = (...given) => parts?.findClear(...given)
export const findMeant: Parts['findMeant'] = (...given) => parts?.findMeant(...given) ?? []
export const findWithin: Parts['findWithin'] = (...given) => parts?.findWithin(...given) ?? []
export const findNear: Parts['findNear'] = (...given) =>
  parts?.findNear(...given) ?? { nearest: [], distance: Number.POSITIVE_INFINITY }
export const isTimestamp: Parts['isTimestamp'] = text => parts?.isTimestamp(text) ?? true
export const isUnlikely: Parts['isUnlikely'] = text => parts?.isUnlikely(text) ?? false
export const timeOf: Parts['timeOf'] = text => parts?.timeOf(text) ?? Number.NaN
export const subtypeOf: Parts['subtypeOf'] = text => parts?.subtypeOf(text) ?? 'name'
export const explainModule: Parts['explainModule'] = (...given) => parts?.explainModule(...given) ?? []
export const explainParameter: Parts['explainParameter'] = (...given) => parts?.explainParameter(...given) ?? []

/** The page shows a correction in its place. */
export const normalize = (): string => ''

const write = (form: keyof Parts['copied']) => (request: Parameters<Parts['copied']['url']>[0]) =>
  parts?.copied[form](request) ?? ''
export const forms: Parts['copied'] = {
  url: write('url'),
  curl: write('curl'),
  fetch: write('fetch'),
  python: write('python'),
}
