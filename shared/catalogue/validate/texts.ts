// The text and the suggestions of each rule.
import type { RuleName } from './rules.ts'
import type { Words } from './texts/fixes.ts'
import { modules } from './texts/modules.ts'
import { names } from './texts/names.ts'
import { reading } from './texts/reading.ts'
import { relations } from './texts/relations.ts'
import { values } from './texts/values.ts'

export const words: Record<RuleName, Words> = { ...reading, ...modules, ...names, ...values, ...relations }
