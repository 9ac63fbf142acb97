// Values in a program, right and wrong, for each parameter of the catalogue.
import type { Parameter } from '../../../catalogue/model.ts'

/** Values that the parameter takes. */
export function rightValues(parameter: Parameter): unknown[] {
  const { multi, all_specifier, allows_duplicates } = parameter
  const values = singleValues(parameter)
  if (!multi) return values
  return [
    [],
    values,
    ...(all_specifier === undefined ? [] : [[all_specifier]]),
    ...(allows_duplicates ? [[values[0], values[0]]] : []),
  ]
}

/** Values of another type than the parameter's. */
export function mistypedValues(parameter: Parameter): unknown[] {
  const { type, multi, all_specifier } = parameter
  const single: unknown[] =
    type === 'bool' ? ['true', 1] : ['int', 'ns', 'limit'].includes(type) ? ['10', true] : [1, true]
  if (type === 'limit') single.push('MAX')
  if (type === 'enum') single.push('no-such-value')
  if (!multi) return [...single, singleValues(parameter)]
  const values = singleValues(parameter)
  return [
    ...single,
    ...single.map(value => [value]),
    values.join('|'),
    ...(all_specifier === undefined ? [] : [all_specifier, [all_specifier, ...values]]),
    ...(all_specifier === undefined && ['enum', 'ns'].includes(type) ? [['*']] : []),
  ]
}

/** Values of the right type out of range. */
export function excessiveValues(parameter: Parameter): unknown[] {
  const { type, multi, extra_namespaces = [], required, allows_duplicates, value_high_limit = 0 } = parameter
  const single: unknown[] = type === 'limit' ? [0, -1, 5001, 1.5] : type === 'int' ? [0.5] : []
  if (type === 'ns') single.push(Math.min(0, ...extra_namespaces) - 1, 0.5)
  if (required && type === 'str') single.push('')
  if (!multi) return single
  const [value] = singleValues(parameter)
  const tooMany = Array.from({ length: value_high_limit + 1 }, (_, i) =>
    typeof value === 'string' ? `${value}${i}` : i,
  )
  return [
    ...single.map(value => [value]),
    ...(type === 'enum' ? [] : [tooMany]),
    ...(allows_duplicates ? [] : [[value, value]]),
  ]
}

function singleValues({ type, values = [], extra_namespaces = [] }: Parameter): unknown[] {
  switch (type) {
    case 'bool':
      return [true, false]
    case 'int':
      return [0, -5, 2 ** 40]
    case 'ns':
      return [0, 4, ...extra_namespaces]
    case 'limit':
      return [1, 500, 5000, 'max']
    case 'enum':
      return values
    default:
      return ['2001-01-15T14:56:00Z', 'Main Page']
  }
}
