import type { ControlProps } from './fields.ts'

/** One value: a flag, a member of an enumeration, or a text. */
export function Single({ field, put, described }: ControlProps) {
  const { parameter, value } = field
  if (parameter.type === 'bool') {
    return (
      <input
        type="checkbox"
        {...described}
        checked={value !== null}
        // A flag is set by its name, whatever its value.
        onChange={event => put.value(event.currentTarget.checked ? '1' : null, 'done')}
      />
    )
  }
  return parameter.type === 'enum' ? (
    <Choice field={field} put={put} described={described} />
  ) : (
    <Text field={field} put={put} described={described} />
  )
}

function Choice({ field: { parameter, value }, put, described }: ControlProps) {
  const { values = new Set<string>(), default: defaultValue, deprecated_values = [] } = parameter
  return (
    <select {...described} value={value ?? ''} onChange={event => put.value(event.currentTarget.value || null, 'done')}>
      <option value="">{defaultValue === undefined ? 'not given' : `default: ${defaultValue || 'empty'}`}</option>
      {value && !values.has(value) && <option value={value}>{value} (no such value)</option>}
      {[...values].filter(Boolean).map(each => (
        <option key={each} value={each}>
          {each}
          {deprecated_values.includes(each) && ' (deprecated)'}
        </option>
      ))}
    </select>
  )
}

function Text({ field: { parameter, value }, put, described }: ControlProps) {
  const { type, default: defaultValue, extra_namespaces } = parameter
  // A phone's keypad for numbers may have no letters for `max`, and no minus sign for namespaces below 0.
  const isDigits = type === 'int' || (type === 'ns' && !extra_namespaces)
  return (
    <div class="tools">
      <input
        type="text"
        {...described}
        value={value ?? ''}
        placeholder={defaultValue === undefined ? '' : String(defaultValue)}
        inputMode={isDigits ? 'numeric' : 'text'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={event => put.value(event.currentTarget.value || null, 'typed')}
      />
      {type === 'limit' && (
        <button type="button" class="plain" onClick={() => put.value('max', 'done')}>
          max
        </button>
      )}
    </div>
  )
}
