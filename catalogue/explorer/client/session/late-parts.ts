// What the check needs only once there is a text, in a file of its own.
import { timestampsMeant } from '../../../validate/rule-texts/timestamps.ts'
import { readCode } from '../../../validate/text/code.ts'
import * as words from '../../../validate/words.ts'

export const parts = { ...words, readCode, timestampsMeant }
