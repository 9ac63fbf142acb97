import { describe, expect, test } from 'vitest'
import { nearNames } from '../../../infra/settings/near-names.ts'
import { settingsTable } from '../../../infra/settings/settings.ts'
import { localSettingsTable } from '../../../local/local-settings.ts'

const known = Object.keys({ ...settingsTable, ...localSettingsTable })

describe('a name in the environment', () => {
  test.each([
    ['ACCES_TOKEN_EXPIRE_MINUTES', 'ACCESS_TOKEN_EXPIRE_MINUTES'],
    ['MAILFROM', 'MAIL_FROM'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['STGE', 'STAGE'],
    ['DATADIR', 'DATA_DIR'],
    ['cors_origin', 'CORS_ORIGINS'],
  ])('%s gets a warning that tells of %s', (name, meant) => {
    expect(nearNames({ [name]: '1' }, known)).toEqual([
      `${name.toUpperCase()} is not a setting. Did you mean ${meant}?`,
    ])
  })

  test.each([...known, ...known.map(name => name.toLowerCase())])('%s gets none', name => {
    expect(nearNames({ [name]: '1' }, known)).toEqual([])
  })

  test('gets none when it is of another program', () => {
    const others =
      'PATH HOME HOSTNAME HOSTTYPE USER MAIL SHELL PWD LANG TERM EDITOR CI NODE_ENV JAVA_HOME XDG_DATA_DIRS'
    const clouds = 'AWS_REGION AWS_PROFILE CDK_OUTDIR GITHUB_TOKEN RUNNER_TEMP DOCKER_HOST SSH_AUTH_SOCK BASE_URL'
    expect(nearNames(Object.fromEntries(`${others} ${clouds}`.split(' ').map(name => [name, '1'])), known)).toEqual([])
  })
})
