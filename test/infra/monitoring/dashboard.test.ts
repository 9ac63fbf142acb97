import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../shared/api/route-keys.ts'
import { alarms, dashboard, stack } from './monitored.ts'

describe('the dashboard', () => {
  test('is one JSON document that shows every alarm', () => {
    const { widgets } = JSON.parse(dashboard) as { widgets: { properties: { alarms?: string[]; title?: string } }[] }
    expect(widgets[0]?.properties.alarms).toHaveLength(alarms.size)
    expect(widgets.length).toBeGreaterThan(10)
  })

  test.each(['logged-in', 'login-failed', 'login-limited', 'registered', 'mail-sent', 'mail-failed', 'password-reset'])(
    'counts %s in this stage',
    event => {
      expect(dashboard).toContain(`["Gatehouse","${event}","Stage","staging",{"stat":"Sum"}]`)
    },
  )

  test('shows the latest errors of every function', () => {
    for (const name of functionNames) {
      const { LogGroup } = stack.functionProperties(name).LoggingConfig as { LogGroup: { Ref: string } }
      expect(dashboard).toContain(`SOURCE '<${LogGroup.Ref}>'`)
    }
  })
})
