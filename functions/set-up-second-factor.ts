import { setUpFactor } from '../accounts/factor/set-up.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'

const setUp = endpoint(
  'set-up-second-factor',
  ({ account, body, claims, clientAddress }, deps) =>
    setUpFactor(deps, clientAddress, account, body, isSetUpByProvider(claims, deps.config)),
  authenticateForSetup,
)

export default setUp
export const handler = lambda(setUp, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
