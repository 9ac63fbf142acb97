const inbox = process.env.INBOX_URL ?? 'http://localhost:3001'

/** The links to a page (`/verify-email` or `/reset-password`) in the mails to an address that are there by now. */
export async function linksTo(address, page) {
  const { emails } = await (await fetch(`${inbox}/store`)).json()
  return emails
    .filter(({ destination }) => destination.to.includes(address))
    .flatMap(({ body }) => body.text.match(/https?:\/\/\S+\?token=\S+/) ?? [])
    .filter(link => new URL(link).pathname.endsWith(page))
}

/** The newest such link that is not among the `known` ones, once there is one. */
export async function linkTo(address, page, known = []) {
  for (;;) {
    const link = (await linksTo(address, page)).findLast(link => !known.includes(link))
    if (link) return new URL(link)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
