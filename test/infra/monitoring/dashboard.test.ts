import { describe, expect, test } from 'vitest'
import { inText } from '../../support/stack/template.ts'
import { alarms, dashboard, stack } from './monitored.ts'

const { widgets } = JSON.parse(dashboard) as {
  widgets: { properties: { alarms?: string[]; title?: string; metrics?: unknown[]; query?: string } }[]
}
const { LogGroup } = stack.functionProperties('login').LoggingConfig as { LogGroup: unknown }
const ofFunctions = inText(LogGroup)

describe('the dashboard', () => {
  test('shows every alarm first that each region has, of which a list holds 100', () => {
    const here = stack.all('AWS::CloudWatch::Alarm').filter(([, { Condition }]) => Condition === undefined)
    expect(alarms.size - here.length).toBe(1)
    expect(widgets[0]?.properties.alarms).toHaveLength(here.length)
    expect(alarms.size).toBeLessThanOrEqual(100)
  })

  test('is free: it has at most 50 metrics', () => {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? [])
    expect(metrics.length).toBeGreaterThan(25)
    expect(metrics.length).toBeLessThanOrEqual(50)
  })

  test.each([
    ['Guesses', ['login-failed', 'login-limited', 'wrong-password', 'wrong-code']],
    ['Takeovers', ['recovery-code-used', 'session-reused', 'email-changed', 'change-undone']],
    ['Registrations', ['registered']],
    ['Requests over a limit or a throttle', ['request-limited', 'answered-429']],
    ['Mails not sent', ['mail-capped', 'mail-failed']],
  ])('counts in "%s" the events of this stage', (title, events) => {
    const graph = widgets.find(({ properties }) => properties.title === title)
    expect(graph?.properties.metrics).toEqual(
      events.map(event => ['Gatehouse', event, 'Stage', 'staging', { stat: 'Sum' }]),
    )
  })

  test.each([
    ['Failures by route', inText(stack.only('AWS::Logs::MetricFilter').Properties.LogGroupName)],
    ['What people did', ofFunctions],
    ['Latest errors', ofFunctions],
  ])('"%s" reads one log', (title, group) => {
    const { query = '' } = widgets.find(({ properties }) => properties.title === title)?.properties ?? {}
    expect([...query.matchAll(/SOURCE '(<\w+>)'/g)].map(([, read]) => read)).toEqual([group])
  })
})
