/**
 * Buttons that give something away on a page that anybody can open by a link or as a window. A window in front that closes between
 * the two presses of a double click has the second one land on what is behind it (UI redressing). So a press counts only once the
 * person has had time to see the button.
 */

/** Milliseconds: 500, within which systems take two presses for a double click unless people choose more, and a margin. */
const settling = 600

/** Those that the page shows now. */
let buttons: readonly HTMLElement[] = []
/** When they were ready, by the clock of events: one that waited in a queue is as old as the press. */
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

/** Has the buttons that the page shows now take no press until they have been in sight, in a window with the focus, for a while. */
export function settle(shown: Iterable<HTMLElement>): void {
  buttons = [...shown]
  for (const button of buttons) button.addEventListener('click', dropEarly, true)
  settleAgain()
}

for (const shown of ['focus', 'pageshow', 'visibilitychange']) addEventListener(shown, settleAgain)
