import type { Generator } from './generator.ts'
import { ofGo } from './go.ts'
import { ofJava } from './java.ts'
import { ofPython } from './python.ts'
import { ofTypescript } from './typescript.ts'

/** Generators that cannot read the description, and alternatives. */
export const unsupported = {
  'progenitor (Rust)':
    'It reads OpenAPI 3.0 alone, and fails at the first list of types. Call the API with `reqwest` and `serde`',
}

/** Every generator that is tried. */
export const generators: Generator[] = [...ofTypescript, ...ofPython, ...ofJava, ...ofGo]
