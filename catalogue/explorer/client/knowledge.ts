// The build inlines the compact catalogue.
import catalogue from 'compact-catalogue'
import { openKnowledge } from '../../validate/knowledge.ts'

/** The compact catalogue, and its index, shared by all checks. */
export { catalogue }
export const knowledge = openKnowledge(catalogue)
