import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

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
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const note = (file: string): void => {
    changed.add(file)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = [...changed].sort()
      changed.clear()
      onChange(files)
    }, pause)
  }
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
  changed.clear()
  clearTimeout(timer)
  return () => {
    clearTimeout(timer)
    for (const folder of [...watchers.keys()]) leave(folder)
  }
}

/** Excludes editors' temporary files. */
const isSource = (name: string): boolean => /^[^.#][^~]*\.(?:cjs|css|html|js|json|tsx?)$/.test(name)
