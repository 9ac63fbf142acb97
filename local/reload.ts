import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { builtFiles, copyLists, haveSameLists } from '../infra/build/lists.ts'
import type { LocalAddresses } from '../infra/service-stack.ts'
import { SettingsError } from '../infra/settings/setting.ts'
import type { Settings } from '../infra/settings/settings.ts'
import type { Functions } from './lambda/functions.ts'
import type { Observer } from './observer.ts'
import { builtContents, nameSourceMaps } from './source-maps.ts'
import { StartError } from './start-error.ts'
import { assemble, makeMaps, rebuild } from './template/assembly.ts'
import { type FunctionDefinition, readStack, type StackDefinition } from './template/read-stack.ts'
import type { Deployment } from './template/return-values.ts'

interface ReloaderParts {
  settings: Settings
  /** Reads the settings again. @throws {SettingsError} */
  readAgain(): Settings
  build: string
  local: LocalAddresses
  /** A folder for running code. */
  scratch: string
  stack: StackDefinition
  functions: Functions
  deployment: Deployment
  inspected: FunctionDefinition | undefined
  observer: Partial<Observer>
}

/** Loads the present sources into the functions of a running system. */
export function reloader(parts: ReloaderParts) {
  const { readAgain, build, local, scratch, stack, functions, deployment, inspected, observer } = parts
  let { settings } = parts
  const stopping = new AbortController()
  let changed = new Set<string>()
  let changedLists = new Set<string>()
  let running = Promise.resolve()
  /** Aborts a comparison of the stacks that another change makes obsolete. */
  let comparing = new AbortController()
  let isCompared = true
  let generation = 0
  /** Replaced code, until no environment runs it. */
  let replaced: string[] = []

  async function reload(): Promise<void> {
    const files = [...changed]
    changed = new Set()
    if (stopping.signal.aborted) return
    comparing = new AbortController()
    const began = performance.now()
    try {
      const started = files.filter(isStarted)
      for (const file of started) observer.outdated?.(file)
      if (started.length === files.length) return
      await rebuild(build, stopping.signal)
      if (inspected) await makeMaps(inspected.label, build)
      observer.reloaded?.({ functions: replaceCode(), milliseconds: performance.now() - began })
      // Functions and pages alone cannot change the stack; the route table and the settings can.
      isCompared &&= !files.some(file => /^(?:accounts|api|catalogue|shared)\//.test(file))
      if (!isCompared && (await isOutdated())) observer.outdated?.('the stack')
      isCompared = true
    } catch (error) {
      if (stopping.signal.aborted || comparing.signal.aborted) return
      if (!(error instanceof StartError)) throw error
      observer.buildFailed?.(error.message)
    }
  }

  /** @returns the functions with changed code */
  function replaceCode(): string[] {
    generation++
    const due = stack.functions.filter(({ label, codeDirectory }) => !isSame(bundle(build, label), codeDirectory))
    for (const definition of due) replace(definition, bundle(build, definition.label), definition.codeDirectory)
    removeUnused()
    return due.map(({ label }) => label)
  }

  /** @param code the folder of the new code @param lists the folder of the lists that it gets */
  function replace(definition: FunctionDefinition, code: string, lists: string): void {
    const directory = join(scratch, `reload-${generation}`, definition.label)
    cpSync(code, directory, { recursive: true })
    copyLists(lists, directory)
    if (definition === inspected) nameSourceMaps(directory, build, definition.label)
    replaced.push(definition.codeDirectory)
    functions.replaceCode(definition, directory)
  }

  function removeUnused(): void {
    const used = new Set(functions.environments.map(({ codeDirectory }) => codeDirectory))
    for (const directory of replaced) if (!used.has(directory)) rmSync(directory, { recursive: true, force: true })
    replaced = replaced.filter(directory => used.has(directory))
  }

  async function reloadLists(): Promise<void> {
    const lists = [...changedLists].join(', ')
    changedLists = new Set()
    if (stopping.signal.aborted) return
    const began = performance.now()
    try {
      const next = readAgain()
      const labels = await withStack(next, stopping.signal, present => {
        if (withoutCode(present) !== withoutCode(stack)) return null
        return replaceLists(present)
      })
      if (labels === null) return observer.outdated?.(lists)
      settings = next
      observer.reloaded?.({ lists, functions: labels, milliseconds: performance.now() - began })
    } catch (error) {
      if (stopping.signal.aborted) return
      if (!(error instanceof StartError || error instanceof SettingsError)) throw error
      observer.buildFailed?.(error.message)
    }
  }

  /** @returns the functions with changed lists */
  function replaceLists(present: StackDefinition): string[] {
    generation++
    const folderOf = (label: string) => present.functions.find(each => each.label === label)?.codeDirectory ?? ''
    const due = stack.functions.filter(({ label, codeDirectory }) => !haveSameLists(folderOf(label), codeDirectory))
    for (const definition of due) replace(definition, definition.codeDirectory, folderOf(definition.label))
    removeUnused()
    return due.map(({ label }) => label)
  }

  /** Whether the sources make another stack than the running one. */
  const isOutdated = (): Promise<boolean> =>
    withStack(settings, comparing.signal, present => withoutCode(present) !== withoutCode(stack))

  /** Uses the stack that the sources make, while its folder is there. */
  async function withStack<T>(settings: Settings, signal: AbortSignal, use: (stack: StackDefinition) => T): Promise<T> {
    const directory = join(scratch, 'compared')
    try {
      return use(readStack(await assemble(settings, directory, { build, local, signal }), deployment))
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  return {
    /** Files have changed. @param files relative to the checkout */
    changed(files: readonly string[]): void {
      const isIdle = changed.size === 0
      for (const file of files) changed.add(file)
      comparing.abort()
      // Otherwise the next reload takes these files too.
      if (isIdle) running = running.then(reload)
    },
    /** Lists in files have changed. @param files as the terminal names them */
    changedLists(files: readonly string[]): void {
      const isIdle = changedLists.size === 0
      for (const file of files) changedLists.add(file)
      if (isIdle) running = running.then(reloadLists)
    },
    async stop(): Promise<void> {
      stopping.abort()
      comparing.abort()
      await running
    },
  }
}

/** Whether a file is part of the running system, and not rebuilt. */
const isStarted = (file: string): boolean => /^(?:local|infra(?!\/build))\//.test(file)

const bundle = (build: string, label: FunctionDefinition['label']): string => join(build, 'functions', label)

function isSame(one: string, other: string): boolean {
  const files = builtFiles(one)
  return (
    String(files) === String(builtFiles(other)) &&
    files.every(file => builtContents(join(one, file)) === builtContents(join(other, file)))
  )
}

/** A stack as text, without the places of its code. */
const withoutCode = (stack: StackDefinition): string =>
  JSON.stringify(stack, (member, value) => {
    if (member === 'codeDirectory') return undefined
    return value instanceof Map ? [...value] : value
  })
