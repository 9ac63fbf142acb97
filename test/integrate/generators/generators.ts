import type { Generator } from './generator.ts'
import { ofGo } from './go.ts'
import { ofJava } from './java.ts'
import { ofPython } from './python.ts'
import { ofTypescript } from './typescript.ts'

/** Every generator that is tried. */
export const generators: Generator[] = [...ofTypescript, ...ofPython, ...ofJava, ...ofGo]
