// The lazy parts of the check, in a file of their own: needed once there is a text.
import { timestampsMeant } from '../../../validate/rule-texts/timestamps.ts'
import { readCode } from '../../../validate/text/code.ts'
import * as words from '../../../validate/words.ts'

export const parts = { ...words, readCode, timestampsMeant }
