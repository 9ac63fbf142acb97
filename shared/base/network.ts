/** What a server answered. */
export interface NetworkAnswer {
  status: number
  /** Its body, if that is JSON; else undefined. */
  json: unknown
}

/** Calls addresses that an operator has listed: at most 3 s and 64 KiB, no redirect is followed, nothing is sent twice. */
export interface Network {
  /** @throws {Error} when there is no whole answer */
  postForm(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<NetworkAnswer>
  /** @throws {Error} likewise */
  getJson(url: string): Promise<NetworkAnswer>
}
