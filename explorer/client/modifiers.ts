/** Whether Ctrl, Alt, Meta or Shift is held: such a key is the browser's or the system's, as Alt+Left is Back. */
export function isModified({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey || shiftKey
}
