/** Whether Ctrl, Alt, Meta or Shift is held: such keys are the browser's or the system's (Alt+Left is Back). */
export const isModified = ({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  ctrlKey || altKey || metaKey || shiftKey
