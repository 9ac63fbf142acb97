import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf } from '../../infra/build/function-bundles.ts'
import type { Page } from '../../shared/base/page-answer.ts'
import { type PageName, pageFile } from '../../shared/prebuilt/whole-page.ts'

/** A page as it was built, its gaps still open. */
export const builtPage = (name: PageName): Page =>
  JSON.parse(readFileSync(join(bundleOf('pages'), pageFile(name)), 'utf8'))
