// The purposes of modules, in our own words: the catalogue's answers have no descriptions.
import sentences from '../words/module-sentences.json' with { type: 'json' }

const modules: Record<string, string> = sentences.modules

/** A module's purpose in one sentence; empty for an unknown name. */
export const moduleSentence = (name: string): string => (Object.hasOwn(modules, name) ? (modules[name] ?? '') : '')
