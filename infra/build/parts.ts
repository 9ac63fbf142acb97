// The build in parts. A part is made again only when its sources have changed.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

export interface Part {
  name: string
  /** Patterns of the files that it is made of. */
  sources: readonly string[]
  /** A module that runs at build time. The part depends on all that it loads. */
  builder?: string
  outputs: readonly string[]
  /** Whether it is compressed quickly. A build as small as can be then makes it again. */
  isQuick?: boolean
  /** @param changed the files that have changed since it was last written; null if that is not known */
  write(changed: string[] | null): Promise<void>
}

/** What a part was made of, beside it. */
interface Stamp {
  files: Record<string, string>
  /** The modules that its builder loaded. */
  loaded: string[]
  isQuick?: boolean
}

/** Writes a part, with a stamp. @param changed as for `write` */
export async function writePart(part: Part, stamps: string, changed: string[] | null = null): Promise<void> {
  const stamp = join(stamps, `${part.name}.json`)
  // A part that is only half written has no stamp.
  rmSync(stamp, { force: true })
  const loaded = part.builder === undefined ? [] : await modulesOf(part.builder)
  const files = hashesOf(part, loaded)
  await part.write(changed)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, JSON.stringify({ files, loaded, isQuick: part.isQuick ?? false } satisfies Stamp))
}

/** The files of a part that have changed since it was written; null if that is not known. */
export function changesOf(part: Part, stamps: string): string[] | null {
  const stamp = join(stamps, `${part.name}.json`)
  if (!existsSync(stamp) || !part.outputs.every(output => existsSync(output))) return null
  const { files, loaded, isQuick } = JSON.parse(readFileSync(stamp, 'utf8')) as Stamp
  if (isQuick && !part.isQuick) return null
  const now = hashesOf(part, loaded)
  return Object.keys({ ...files, ...now }).filter(file => files[file] !== now[file])
}

/** The hash of each file that a part is made of, and Node's version. */
function hashesOf({ sources }: Part, loaded: readonly string[]): Record<string, string> {
  const found = globSync([...sources, 'infra/build/*', 'package-lock.json', 'tsconfig.json'], { cwd: root })
  const files = [...found, ...loaded].filter(file => statSync(join(root, file), { throwIfNoEntry: false })?.isFile())
  const hashes = files.map(file => [
    file,
    createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('base64'),
  ])
  return { ...Object.fromEntries(hashes), node: process.version }
}

async function modulesOf(module: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [module],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // Node reports the same errors when it loads the module.
    logLevel: 'silent',
  })
  return Object.keys(metafile.inputs)
}
