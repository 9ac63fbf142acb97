// The lazy parts of the check, in a file of their own: needed once there is a text.
import { readCode } from '../../validate/text/code.ts'
import { isTimestamp, isUnlikely, subtypeOf, timeOf } from '../../validate/text/forms.ts'
import { findUnread } from '../../validate/unread.ts'

export const parts = { readCode, findUnread, isTimestamp, isUnlikely, subtypeOf, timeOf }
