import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, table } from './markdown.ts'

/** The packages of others: what each is for, and what of them the image holds. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What package-lock.json says of a package. */
interface Locked {
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  os?: string[]
  libc?: string[]
}
const own = JSON.parse(read('package.json'))
const { packages: locked } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const direct = Object.keys({ ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies }).sort()

const [, uninstalled = ''] = /npm uninstall (.*?) &&/.exec(read('Dockerfile').replaceAll(/\\\n\s*/g, '')) ?? []
/** The packages that the Dockerfile takes out of the image. */
export const leftOut = uninstalled.split(/\s+/).filter(word => !word.startsWith('--'))

/** Whether a package is installed on the image's Debian, whatever its processor is. */
const isForImage = ({ os = ['linux'], libc = ['glibc'] }: Locked): boolean =>
  os.includes('linux') && libc.includes('glibc')

/** The packages in the image by their path in it: those that stay, and what these need. */
export function imagePackages(): Map<string, Locked> {
  const found = new Map<string, Locked>()
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = pathOf(name, from)
      const needed = path !== null && !found.has(path) ? locked[path] : undefined
      if (path === null || needed === undefined || !isForImage(needed)) continue
      found.set(path, needed)
      const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = needed
      const peers = Object.keys(peerDependencies).filter(peer => !peerDependenciesMeta?.[peer]?.optional)
      add(path, [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
    }
  }
  add(
    '',
    direct.filter(name => !leftOut.includes(name)),
  )
  return found
}

/** Where a package finds another one: beside its own, or beside those that contain it. */
function pathOf(name: string, from: string): string | null {
  const path = join(from, 'node_modules', name)
  if (path in locked) return path
  return from === '' ? null : pathOf(name, from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)))
}

/** Licences that what we pass on may have, by their SPDX identifiers: they ask for no more than a notice. */
const accepted = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0']

/** The licence under which we take a package: of a choice, the first that is accepted; null if none is. */
export const licenceOf = ({ license = '' }: Locked): string | null =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .find(choice => accepted.includes(choice)) ?? null

/** The SPDX licence expression of Gatehouse and of the packages that its image holds. @throws {Error} one is not accepted */
export function imageLicence(): string {
  const licences = [...imagePackages()].map(([path, entry]) => {
    const licence = licenceOf(entry)
    if (licence === null) throw new Error(`the licence of ${path}, ${entry.license}, is not accepted`)
    return licence
  })
  return [...new Set([own.license, ...licences.sort()])].join(' AND ')
}

/** What packages are for, by the folders that import them; the first that fits. */
const uses: [use: string, folders: string[]][] = [
  ['Functions', ['accounts', 'api', 'catalogue', 'functions', 'shared']],
  ['Operators’ commands', ['operations']],
  ['The build: bundles, pages, template', ['accounts', 'api', 'catalogue', 'infra', 'reference', 'shared']],
  ['`npm start`', ['local']],
]

/** What runs of others, by where it runs. */
export function packageTable(): string {
  const [, toolkit = ''] = /^for package in (.+); do$/m.exec(read('.ci/toolkit')) ?? []
  const deploying = toolkit.split(' ')
  const left = new Set(direct.filter(name => !deploying.includes(name)))
  const rows = uses.map(([use, folders]): [string, string[]] => {
    const names = importsIn(folders).filter(name => left.has(name) && (use !== 'Functions' || name in own.dependencies))
    for (const name of names) left.delete(name)
    return [use, names]
  })
  const all = [
    ...rows,
    ['The deploy, beside AWS credentials', deploying],
    ['Tests, lint, documents', [...left]],
  ] as const
  return table(
    ['For', 'Packages'],
    all.map(([use, names]) => [use, names.map(code).join(', ')]),
  )
}

/** The packages of package.json that the sources in some folders import. */
function importsIn(folders: readonly string[]): string[] {
  const sources = globSync(
    folders.map(folder => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  )
  const text = sources.map(read).join('\n')
  const specifiers = [...text.matchAll(/(?:\bfrom |\b(?:import|findPackageJSON)\()'([^'.][^']*)'/g)].map(
    ([, specifier = '']) => specifier,
  )
  return direct.filter(name => specifiers.some(specifier => specifier === name || specifier.startsWith(`${name}/`)))
}
