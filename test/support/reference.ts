import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf } from '../../infra/build/bundle.ts'
import type { Page } from '../../shared/base/page-answer.ts'
import { referenceFile } from '../../shared/prebuilt/whole-page.ts'

/** The reference as it was built, its gaps still open. */
export const reference = (): Page => JSON.parse(readFileSync(join(bundleOf('pages'), referenceFile), 'utf8'))
