// What the check needs only once there is a text, in a file of its own.
import { timestampsMeant } from '../../../shared/catalogue/validate/rule-texts/timestamps.ts'
import { readCode } from '../../../shared/catalogue/validate/text/code.ts'
import * as words from '../../../shared/catalogue/validate/words.ts'

export const parts = { ...words, readCode, timestampsMeant }
