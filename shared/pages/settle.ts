/**
 * Buttons with consequences, on a page that anybody can open by a link or in a window. If a window in front closes
 * between the presses of a double click, the second one hits the button behind (UI redressing). So a press counts only
 * after the person has had time to see the button.
 */

/** Milliseconds: 500, the usual limit of a double click, and a margin. */
const settling = 600

/** The shown buttons. */
let buttons: readonly HTMLElement[] = []
/** When they became ready, by the clock of events: a queued event is as old as its press. */
let readyAt = 0
let timer: ReturnType<typeof setTimeout> | undefined

function settleAgain(): void {
  clearTimeout(timer)
  readyAt = Number.POSITIVE_INFINITY
  for (const button of buttons) {
    button.dataset.settles = ''
    button.ariaDisabled = 'true'
  }
  timer = setTimeout(() => {
    readyAt = performance.now()
    for (const button of buttons) {
      delete button.dataset.settles
      button.ariaDisabled = button.closest('form')?.ariaBusy ?? 'false'
    }
  }, settling)
}

function dropEarly(event: Event): void {
  if (event.timeStamp >= readyAt) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Makes the shown buttons ignore presses until they have been visible for a while, in a focused window. */
export function settle(shown: Iterable<HTMLElement>): void {
  buttons = [...shown]
  for (const button of buttons) button.addEventListener('click', dropEarly, true)
  settleAgain()
}

for (const shown of ['focus', 'pageshow', 'visibilitychange']) addEventListener(shown, settleAgain)
