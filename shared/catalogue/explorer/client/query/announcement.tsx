import { useEffect, useState } from 'preact/hooks'

/** ms without a change: while letters come, a screen reader says nothing. */
const pause = 1000

/** Says a text to screen readers once it has stood for a while. */
export function Announcement({ text }: { text: string }) {
  const [said, say] = useState('')
  useEffect(() => {
    const timer = setTimeout(say, pause, text)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  )
}
