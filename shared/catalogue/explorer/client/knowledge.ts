import { openKnowledge } from '../../validate/knowledge.ts'
import { catalogue } from './catalogue.ts'

/** What queries are held against, opened once. */
export const knowledge = openKnowledge(catalogue)
