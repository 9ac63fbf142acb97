// The lazy parts of the check, in a file of their own: needed once there is a text.
import { findClear, findMeant, findNear, findWithin } from '../../nearest.ts'
import { explainModule, explainParameter } from '../../notations/sentences.ts'
import { timestampsMeant } from '../../validate/rule-texts/timestamps.ts'
import { readCode } from '../../validate/text/code.ts'
import * as forms from '../../validate/text/forms.ts'
import { findUnread } from '../../validate/unread.ts'
import * as words from '../../validate/words.ts'
import { forms as copied } from './copy/forms.ts'

export const parts = {
  ...words,
  ...forms,
  readCode,
  timestampsMeant,
  findClear,
  findMeant,
  findNear,
  findWithin,
  findUnread,
  explainModule,
  explainParameter,
  copied,
}
