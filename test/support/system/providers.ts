import { createServer } from 'node:http'
import { join } from 'node:path'
import type { OfferedProvider } from '../../../accounts/identity/provider.ts'
import { statementOf } from '../../../infra/settings/provider-members.ts'
import { keyIds } from '../../../local/aws/key-ids.ts'
import { keyMaterials } from '../../../local/aws/key-materials.ts'
import { encryptAhead } from '../../../local/aws/kms.ts'
import { close, listen } from '../../../local/network.ts'
import { providerContextKey } from '../../../shared/base/families.ts'

/**
 * The setting SIGN_IN_PROVIDERS for a later start on a data directory, as its operator writes it after a first start:
 * with each secret encrypted by that directory's key.
 *
 * @param entries with plain secrets
 */
export async function listedIn(dataDirectory: string, entries: readonly OfferedProvider[]): Promise<string> {
  const keys = join(dataDirectory, 'keys')
  const arn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:000000000000:${resource}`
  const deployment = { arn, keyId: keyIds(keys) }
  const list = []
  for (const entry of entries) {
    const context = { [providerContextKey]: entry.id }
    const secret = await encryptAhead(entry.secret, 'ProviderKey', context, deployment, keyMaterials(keys))
    list.push(statementOf({ ...entry, secret }))
  }
  return JSON.stringify(list)
}

/** A port that was free a moment ago: for systems that must know each other's address before they start. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, '127.0.0.1')
  await close(server)
  return port
}
