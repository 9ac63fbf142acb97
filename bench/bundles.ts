import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { functionNames } from '../api/route-keys.ts'
import { bundleOf } from '../infra/build/function-bundles.ts'
import { buildDefaults } from './measure/default-bundles.ts'
import { report } from './measure/report.ts'

/** The code of each function, over that of the CDK's default bundle. Data beside the code is not counted. */

const kilobytes = (bytes: number) => ({ figure: bytes / 1000, unit: 'KB' })
const sizeOf = (file: string): number => statSync(file).size

const defaultOf = await buildDefaults()
report(
  'Code of each function',
  ['', 'loaded at a start', 'with parts that load when needed', "the CDK's default", 'over it'],
  functionNames.map(name => {
    const parts = readdirSync(bundleOf(name)).filter(file => file.endsWith('.cjs'))
    const all = parts.reduce((sum, part) => sum + sizeOf(join(bundleOf(name), part)), 0)
    const cdk = sizeOf(defaultOf(name))
    const atStart = sizeOf(join(bundleOf(name), 'index.cjs'))
    return [name, kilobytes(atStart), kilobytes(all), kilobytes(cdk), { figure: all / cdk, unit: '×' }]
  }),
)
