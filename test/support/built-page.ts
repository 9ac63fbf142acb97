import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NotFoundPage } from '../../functions/not-found.ts'
import { bundleOf } from '../../infra/build/function-bundles.ts'
import type { Page } from '../../shared/base/page-answer.ts'
import { pageFile } from '../../shared/prebuilt/whole-page.ts'

/** A built page with open gaps. @returns null if there is no such file */
export const builtPage = (file: string): Page | null => {
  const path = join(bundleOf('pages'), file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

export const builtNotFound = (tag: string): NotFoundPage =>
  JSON.parse(readFileSync(join(bundleOf('not-found'), pageFile('not-found', tag)), 'utf8'))
