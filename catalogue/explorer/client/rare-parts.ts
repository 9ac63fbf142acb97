// What few texts need, in a file of its own: the words for what the catalogue does not know, and the query as code.
import { findNear } from '../../nearest.ts'
import { unknownText } from '../../validate/checks/unknown.ts'
import { extensionModuleOf, extensionOf, parameterWords, queryNameMeant, valueMeant } from '../../validate/words.ts'
import { forms as copied } from './copy/forms.ts'

export const parts = {
  valueMeant,
  queryNameMeant,
  parameterWords,
  extensionOf,
  extensionModuleOf,
  findNear,
  unknownText,
  copied,
}
