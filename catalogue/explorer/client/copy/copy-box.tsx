import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { loadRare } from '../late.ts'
import { secretNames } from '../session/secrets.ts'
import { type FormName, forms } from './forms.ts'
import { type QueryRequest, readRequest } from './request.ts'
import { Tabs } from './tabs.tsx'

const tabs: Record<FormName, string> = { url: 'URL', curl: 'curl', fetch: 'fetch', python: 'Python' }

/** The result of copying, and the copied text. */
type Outcome = { of: string; said: string }

const reasons: Record<QueryRequest['address'], string> = {
  read: '',
  unread: ': the address before the ? could not be read',
  none: ': the query names no other address',
}

/** The query as a URL, or as code that sends it, to copy. @param errors number of errors in it */
export function CopyBox({ text, errors }: { text: string; errors: number }) {
  const id = useId()
  const [form, setForm] = useState<FormName>('url')
  const [ticked, setTicked] = useState('')
  const [outcome, setOutcome] = useState<Outcome>({ of: '', said: '' })
  const shown = useRef<HTMLPreElement>(null)
  const [, setLoaded] = useState(false)

  // A tick belongs to one form of one text. It is cleared when either changes, and does not return.
  const subject = `${form} ${text}`
  useEffect(() => setTicked(''), [subject])
  const { there: secrets, gone } = secretNames(text)
  const withSecrets = ticked === subject && secrets.length > 0
  const request = readRequest(text, { withSecrets })
  const written = forms[form](request)

  const choose = (name: FormName) => {
    setForm(name)
    if (name !== 'url') loadRare().then(() => setLoaded(true))
  }
  const copy = async () => {
    setOutcome({ of: '', said: '' })
    try {
      await navigator.clipboard.writeText(written)
      setOutcome({ of: written, said: 'Copied' })
    } catch {
      // Browsers allow this to pages from https and localhost alone, and people can forbid it.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setOutcome({ of: written, said: 'Not copied, but selected: copy it by keyboard or menu.' })
    }
  }

  return (
    <section class="copy" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Copy the query</h2>
      <Tabs label="Written as" tabs={tabs} current={form} choose={choose} id={id}>
        <pre ref={shown}>{written}</pre>
      </Tabs>
      {secrets.length > 0 && (
        <label>
          <input
            type="checkbox"
            checked={withSecrets}
            onChange={event => setTicked(event.currentTarget.checked ? subject : '')}
          />{' '}
          with the value of <code>{secrets.join(', ')}</code>
        </label>
      )}
      {gone.length > 0 && (
        <p class="note">
          The value of <code>{gone.join(', ')}</code> is gone, since secrets are not kept: type it again.
        </p>
      )}
      <div class="tools">
        <button type="button" class={errors > 0 ? 'plain' : ''} disabled={written === ''} onClick={copy}>
          Copy
        </button>
        {errors > 0 && (
          <strong class="bad">
            This copy still has {errors} {errors === 1 ? 'error' : 'errors'}.
          </strong>
        )}
        <span class="note">
          goes to <strong class="host">{request.host}</strong>
          {reasons[request.address]}
        </span>
        <span role="status">{outcome.of === written ? outcome.said : ''}</span>
      </div>
      {request.method === 'POST' && <p class="note">{explainPost(form, secrets.length + gone.length > 0)}</p>}
      {(form === 'curl' || form === 'python') && (
        <p class="note">Wikimedia asks who sends a query: write your own name and address in its User-Agent.</p>
      )}
    </section>
  )
}

function explainPost(form: FormName, isSecret: boolean): string {
  if (form !== 'url')
    return `It is a POST: ${isSecret ? 'a secret does not belong in an address' : 'it is too long for an address'}.`
  const risk = isSecret ? 'Addresses are logged, and a secret with them' : 'Many servers refuse an address this long'
  return `${risk}: the other forms send a POST.`
}
