import { useEffect, useState } from 'preact/hooks'

/** Milliseconds without a change before a screen reader speaks, so that it is silent while somebody types. */
const pause = 1000

/** Has screen readers speak a text once it stops changing. */
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
