// What the builder gives each control: a field, a way to change it, and what names it.
import type { How } from '../session/history.ts'
import type { Field } from './fields.ts'

export type Put = {
  value(value: string | null, how: How): void
  values(values: readonly string[]): void
}

/** Ties a control to its label and its notes. */
type Described = { id: string; 'aria-describedby': string; 'aria-invalid': boolean }

export type ControlProps = { field: Field; put: Put; described: Described }
