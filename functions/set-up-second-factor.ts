import { requireProof, setUpFactor } from '../accounts/factor/set-up.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'

const setUp = endpoint(
  'set-up-second-factor',
  async ({ account, body, claims, clientAddress }, deps) => {
    const proof = isSetUpByProvider(claims, deps.config) ? null : requireProof(body)
    const prove = proof && ownerProof(deps, clientAddress, account, proof, 'second-factor/setup')
    return setUpFactor(deps, prove, account)
  },
  authenticateForSetup,
)

export default setUp
export const handler = lambda(setUp, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
