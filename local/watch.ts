import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The sources of a start: the functions, their parts, the stack, and this system. */
const watched = ['accounts', 'api', 'catalogue', 'functions', 'infra', 'local', 'reference', 'shared']

/** Milliseconds without a change after which a save is over: editors and git write several files. */
const pause = 60

/**
 * Watches the sources.
 *
 * Each folder by itself: on Linux, Node's recursive watch loses files that an editor replaces.
 *
 * @param onChange receives the changed files, relative to the checkout
 * @returns ends the watching
 */
export function watchSources(onChange: (files: string[]) => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  const { note, forget } = collect(onChange)

  const enter = (folder: string): void => {
    if (watchers.has(folder)) return
    const watcher = watch(join(root, folder), (_, name) => {
      if (name !== null) look(folder, name)
    })
    watcher.on('error', () => leave(folder))
    watchers.set(folder, watcher)
    for (const name of readdirSync(join(root, folder))) look(folder, name)
  }
  const leave = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const look = (folder: string, name: string): void => {
    const path = `${folder}/${name}`
    try {
      if (statSync(join(root, path)).isDirectory()) enter(path)
      else if (isSource(name)) note(path)
    } catch {
      // The folder was removed.
      leave(path)
      if (isSource(name)) note(path)
    }
  }
  watched.forEach(enter)
  // The first look records all existing files; none has changed.
  forget()
  return () => {
    forget()
    for (const folder of [...watchers.keys()]) leave(folder)
  }
}

/**
 * Watches single files, also where an editor replaces them.
 *
 * @param onChange receives the changed ones
 * @returns ends the watching
 */
export function watchFiles(files: readonly string[], onChange: (files: string[]) => void): () => void {
  const { note, forget } = collect(onChange)
  const watchers = files.flatMap(file =>
    // A link, and what it leads to.
    [...new Set([file, realpathSync(file)])].map(path =>
      watch(dirname(path), (_, name) => {
        if (name === basename(path)) note(file)
      }).on('error', () => {}),
    ),
  )
  return () => {
    forget()
    for (const watcher of watchers) watcher.close()
  }
}

/** Collects changed files until a save is over. */
function collect(onChange: (files: string[]) => void) {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    note(file: string): void {
      changed.add(file)
      clearTimeout(timer)
      timer = setTimeout(() => {
        const files = [...changed].sort()
        changed.clear()
        onChange(files)
      }, pause)
    },
    forget(): void {
      changed.clear()
      clearTimeout(timer)
    },
  }
}

/** Excludes editors' temporary files. */
const isSource = (name: string): boolean => /^[^.#][^~]*\.(?:cjs|css|html|js|json|tsx?)$/.test(name)
