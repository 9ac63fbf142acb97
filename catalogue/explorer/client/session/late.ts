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
