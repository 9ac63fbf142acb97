import express from 'express'
import session from 'express-session'
import passport from 'passport'
import Strategy from 'passport-openidconnect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT, SESSION_SECRET, PORT } = process.env

// Gatehouse
const options = {
  issuer: ISSUER,
  authorizationURL: `${new URL(ISSUER).origin}/authorize`,
  tokenURL: `${ISSUER}/token`,
  userInfoURL: `${ISSUER}/userinfo`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: REDIRECT,
  scope: ['email', 'profile'],
  nonce: true,
  skipUserProfile: false,
}
passport.use('gatehouse', new Strategy(options, (_issuer, profile, done) => done(null, profile)))
// End

passport.serializeUser((person, done) => done(null, person))
passport.deserializeUser((person, done) => done(null, person))
const application = express()
application.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))
application.use(passport.session())
application.get('/login', passport.authenticate('gatehouse'))
application.get('/callback', passport.authenticate('gatehouse'), (_request, response) => response.redirect('/me'))
application.get('/me', (request, response) => {
  const { id, displayName, emails } = request.user
  response.json({ sub: id, name: displayName, email: emails[0].value })
})
const listener = application.listen(PORT, 'localhost', () =>
  console.log(`listening on http://localhost:${listener.address().port}`),
)
