import { openKnowledge } from '../../shared/catalogue/validate/knowledge.ts'
import { catalogue } from './catalogue.ts'

/** The catalogue, indexed once for all checks. */
export const knowledge = openKnowledge(catalogue)
