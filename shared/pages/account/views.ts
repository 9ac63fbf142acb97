import { find } from '../form.ts'
import type { headings } from '../words.ts'
import { forgotView, logInView } from './guest.ts'
import { profileView } from './profile.ts'
import { registerView } from './register.ts'
import { securityView } from './security.ts'
import * as service from './service.ts'
import { sessionsView } from './sessions.ts'
import type { App, View } from './view.ts'

/** The views of the account page, by the fragments of its address. Each is made once, so that what was typed stays. */

export const main = find('main', HTMLElement)

export const { app: appUrl = '', flags = '' } = main.dataset
export const has = (flag: string): boolean => flags.split(' ').includes(flag)

export const keepsSessions = has('sessions') && service.canStay()

type Makers = Record<string, (app: App) => View>

export const guests: Makers = { 'log-in': logInView, register: registerView, forgot: forgotView }
export const inside: Makers = {
  profile: profileView,
  security: securityView,
  ...(keepsSessions && { sessions: sessionsView }),
}

/** The views' headings by the fragments of those who are logged in. */
export const sections = Object.keys(inside) as (keyof typeof headings)[]

export const views = new Map<string, View>()

export function viewOf(app: App, name: string, makers: Makers): View {
  const view = views.get(name) ?? makers[name]?.(app)
  if (!view) throw new Error(`there is no view ${name}`)
  views.set(name, view)
  return view
}
