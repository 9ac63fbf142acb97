import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, system, users } from '../shared/api/live.ts'

const revoke = endpoint('revoke', async () => ({}))

export default revoke
export const handler = lambda(revoke, () => ({ ...clients(), ...system, ...users() }))
