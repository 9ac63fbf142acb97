/** What README says that there is, each with a link from the repository's folder. */
export const present: readonly string[] = [
  '[Passwords](docs/security.md#decisions); common and breached ones are refused, if you like',
  '[Passkeys](docs/integrate.md#passkeys), as a way in and in place of a password',
  '[Google, Microsoft, Apple, GitHub, Okta, Keycloak](docs/integrate.md#at-the-provider), any OpenID provider',
  '[A second factor](docs/integrate.md#a-second-factor) by authenticator apps and recovery codes',
  '[OpenID Connect](docs/integrate.md#sign-in-for-your-application) for your applications, one log-in for all',
  '[The account page](docs/integrate.md#the-account-page), and pages behind mails, with your name, logo and colour',
  'Pages and mails in [English, German, French and Spanish](docs/integrate.md#languages)',
  '[Sessions](docs/integrate.md#staying-logged-in) that people see and end; copied ones end by themselves',
  '[A JSON API](docs/integrate.md#the-api), and its description for generators of clients',
  '[Access tokens](docs/verify.md) that any service of yours verifies by public keys',
  '[Roles](docs/verify.md#what-a-token-says) in tokens',
  '[Invitations](docs/deploy.md#inviting-people), and registration by domain',
  '[Notices and undo links](docs/security.md#what-a-thief-gets) against thieves',
  '[Limits](docs/integrate.md#limits) on guesses, registrations and mails',
  '[Commands](docs/deploy.md#commands-by-hand) for operators, with policies by task',
  '[Alarms](docs/deploy.md#runbooks), each with a runbook',
  '[Backups](docs/deploy.md#bringing-back-accounts), and restores of single accounts',
  '[What is stored of a person](docs/deploy.md#somebody-asks-for-their-data): where, how long, a copy, erasure',
  '[Import](docs/migrate.md) with ids and passwords, [export](docs/moving-out.md) of everything',
  '[The stack on one machine](docs/local.md), also as an image',
  '[For tests](docs/integrate.md#tests-of-your-application): an inbox, a clock, a reset',
  '[Deploys from GitHub](docs/deploy.md#from-github) without stored keys',
]

/** Something that there is not, on purpose. */
interface Absent {
  what: string
  instead: string
  why: string
  /** What a path, setting, attribute or member of discovery would have in its name, if it were there. */
  sign: RegExp
}

export const absent: readonly Absent[] = [
  {
    what: 'A console in the cloud',
    instead: '[Commands](docs/deploy.md#commands-by-hand)',
    why: 'Whoever gets into it has every account. Commands run with an AWS role, which IAM limits and CloudTrail records',
    sign: /console|admin-ui/i,
  },
  {
    what: 'Magic links, codes by email or SMS',
    instead: '[Passkeys](docs/integrate.md#passkeys)',
    why: 'A mailbox or a number would be the only factor, and others read both (NIST SP 800-63B-4 §3.1.3.1)',
    sign: /magic|sms|email-code/i,
  },
  {
    what: 'SAML',
    instead: 'Dex or Keycloak in between',
    why: 'Signed XML is hard to verify safely; a bridge serves a company that has nothing else',
    sign: /saml/i,
  },
  {
    what: 'SCIM',
    instead: '[`npm run users --`](docs/deploy.md#commands-by-hand) `import`, `lock`, `delete`',
    why: 'A directory’s token could lock or delete every account, where an operator’s role can be narrow',
    sign: /scim/i,
  },
  {
    what: 'Providers without id tokens, except GitHub (Facebook, X, Discord); Microsoft for all tenants at once',
    instead: 'Dex or Keycloak in between; an entry for each tenant',
    why: 'Nothing signed says who logs in; any tenant may state any address',
    sign: /facebook|discord|twitter/i,
  },
  {
    what: 'One Tap, id tokens that an app brings, linking by address',
    instead: '[The code flow](docs/integrate.md#at-the-provider); the password connects, once',
    why: 'Only a code is bound to its browser; an address at a provider may be somebody else’s',
    sign: /one-tap|id_token_login/i,
  },
  {
    what: 'Organizations',
    instead: 'Your table, [under `sub`](docs/integrate.md#your-own-table-of-accounts)',
    why: 'Who belongs to whom is known where the work is done',
    sign: /organi[sz]ation|tenant/i,
  },
  {
    what: 'User names, phone numbers, several addresses',
    instead: 'The address, and `name`',
    why: 'One address carries login, resets and notices; each more is another way in for thieves',
    sign: /user_?name|phone/i,
  },
  {
    what: 'Attributes of your own, pictures',
    instead: 'Your table, [under `sub`](docs/integrate.md#your-own-table-of-accounts)',
    why: 'Data that a login does not need is not kept here',
    sign: /picture|avatar|metadata|custom_/i,
  },
  {
    what: 'Guest accounts',
    instead: 'A session of your application, until people register',
    why: 'Nobody can prove that such an account is theirs',
    sign: /guest|anonymous/i,
  },
  {
    what: 'Hooks that change a login or a token, webhooks',
    instead:
      '[Roles](docs/verify.md#what-a-token-says); [your table](docs/integrate.md#your-own-table-of-accounts) finds who has gone',
    why: 'Code within a login can stop or open it; a webhook needs a queue and keys of its own',
    sign: /hook/i,
  },
  {
    what: 'Roles that allow something here',
    instead: 'Your services decide: [roles](docs/verify.md#what-a-token-says) and `is_admin` are only reported',
    why: 'What a role allows is known where it is used',
    sign: /permission|scope_map/i,
  },
  {
    what: 'CAPTCHA',
    instead: '[AWS WAF in front](docs/deploy.md#aws-waf-in-front); [limits](docs/integrate.md#limits) slow bots down',
    why: 'It sends visitors to a third party, and stops people more surely than bots',
    sign: /captcha/i,
  },
  {
    what: 'Mail by SMTP',
    instead: '[SES](docs/deploy.md#mail)',
    why: 'A password to keep, where SES is called by a role',
    sign: /smtp/i,
  },
  {
    what: 'Templates of mails',
    instead: '`PRODUCT_NAME` and other [settings](docs/settings.md); `shared/words/` in your copy',
    why: 'What a mail must say to be safe is tested, in each language',
    sign: /template/i,
  },
  {
    what: 'Device flow (RFC 8628)',
    instead: 'The browser, and [a loopback address](docs/integrate.md#clients-of-others)',
    why: 'People can be talked into typing a code of somebody else’s device',
    sign: /device_authorization|device-code/i,
  },
  {
    what: 'Remembered devices that skip the second factor',
    instead: 'A passkey asks for no code',
    why: 'A copied cookie would be a second factor',
    sign: /remember_device|trusted_device/i,
  },
  {
    what: 'Impersonation',
    instead: '`npm run users -- show`',
    why: 'A token must not say that somebody was there who was not',
    sign: /impersonat|login-as|\bact\b/i,
  },
  {
    what: 'Several regions',
    instead: '[Losing a region](docs/deploy.md#losing-a-region): a daily copy, and an import elsewhere',
    why: 'Conditional writes, on which codes and limits rest, hold within one region',
    sign: /replica|regions/i,
  },
  {
    what: 'Consent, registration of clients',
    instead: 'You list your applications; for those of others take a provider that has both',
    why: 'Applications that the operator has not chosen get nothing to ask for',
    sign: /registration_endpoint/,
  },
  {
    what: 'A certificate as OpenID provider: request objects, POST to `/authorize`, introspection, DPoP, back-channel logout',
    instead: '[GET /auth/me](docs/verify.md#what-a-token-says) asks whether a token still counts',
    why: 'No tested client needs one; [applications keep sessions of their own](docs/security.md#what-a-thief-gets)',
    sign: /introspection|dpop|backchannel/i,
  },
  {
    what: 'Attestation of passkeys, lists of authenticators, `/.well-known/webauthn`',
    instead: 'The password, or another passkey, is asked for before one is added',
    why: 'They would refuse people’s devices; password managers lack the last',
    sign: /attestation|\.well-known\/webauthn/i,
  },
]
