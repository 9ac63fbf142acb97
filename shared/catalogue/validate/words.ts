// The text and the suggestions of each rule.
import type { RuleName } from './rules.ts'
import type { Words } from './words/fixes.ts'
import { modules } from './words/modules.ts'
import { names } from './words/names.ts'
import { reading } from './words/reading.ts'
import { relations } from './words/relations.ts'
import { values } from './words/values.ts'

export const words: Record<RuleName, Words> = { ...reading, ...modules, ...names, ...values, ...relations }
