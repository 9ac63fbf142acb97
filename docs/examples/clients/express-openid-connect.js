import express from 'express'
import openid from 'express-openid-connect'

const { auth } = openid
const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_ORIGIN, SESSION_SECRET, PORT } = process.env
const application = express()

// Gatehouse
application.use(
  auth({
    issuerBaseURL: ISSUER,
    baseURL: APP_ORIGIN,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: SESSION_SECRET,
    authorizationParams: { response_type: 'code', scope: 'openid email profile' },
  }),
)
// End

application.get('/me', (request, response) => response.json(request.oidc.user))
const listener = application.listen(PORT, 'localhost', () =>
  console.log(`listening on http://localhost:${listener.address().port}`),
)
