/** Whether Ctrl, Alt, Meta or Shift is held: such a key is the browser's or the system's, as Alt+Left is Back. */
export const isModified = ({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  ctrlKey || altKey || metaKey || shiftKey
