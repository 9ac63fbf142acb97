// What modules are for, in our own words: the catalogue's answers have no descriptions.
import sentences from '../words/module-sentences.json' with { type: 'json' }

const modules: Record<string, string> = sentences.modules

/** One sentence that says what a module is for; empty for a name that is none. */
export const moduleSentence = (name: string): string => (Object.hasOwn(modules, name) ? (modules[name] ?? '') : '')
