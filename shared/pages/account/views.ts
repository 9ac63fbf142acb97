import { find } from '../form.ts'
import { controls, headings, texts } from '../words.ts'
import { forgotView, logInView } from './guest.ts'
import { profileView } from './profile.ts'
import { registerView } from './register.ts'
import { securityView } from './security.ts'
import * as service from './service.ts'
import { sessionsView } from './sessions.ts'
import type { App, View } from './view.ts'

/** The views of the account page, by fragment. Each is made once, so that typed values stay. */

export const main = find('main', HTMLElement)

const { app, flags = '' } = main.dataset
export const appUrl = app ?? ''
const has = (flag: string): boolean => flags.split(' ').includes(flag)

const keepsSessions = has('sessions') && service.canStay()

type Makers = Record<string, (app: App) => View>

export const guests: Makers = { 'log-in': logInView, register: registerView, forgot: forgotView }
export const inside: Makers = {
  profile: profileView,
  security: securityView,
  ...(keepsSessions && { sessions: sessionsView }),
}

/** The sections of fragments that open a form. Password managers are told of them (`/.well-known/`). */
export const sectionOf: Record<string, string> = { 'change-password': 'security', 'add-passkey': 'security' }

/** The headings of the logged-in views, by fragment. */
export const sections = Object.keys(inside) as (keyof typeof headings)[]

/** The service's data for all views. */
export const ofService = {
  page: 'account',
  keepsSessions,
  logInTo: headings.logIn,
  staying: keepsSessions ? { label: controls.stay, hint: texts.hintStay, isTicked: true } : null,
  mailing: {},
  hasLanguages: has('languages'),
  requiresVerification: has('verification'),
  isByInvitation: has('invitation'),
  offersFactor: has('factor'),
  requiresFactor: has('required'),
  askBeforeLeaving(isOn) {
    window.onbeforeunload = isOn ? event => event.preventDefault() : null
  },
} as const satisfies Partial<App>

export const views = new Map<string, View>()

export function forgetViews(): void {
  views.clear()
  ofService.askBeforeLeaving(false)
}

export function viewOf(app: App, name: string, makers: Makers): View {
  const view = views.get(name) ?? makers[name]?.(app)
  if (!view) throw new Error(`there is no view ${name}`)
  views.set(name, view)
  return view
}
