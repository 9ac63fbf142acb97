import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from '@aws-sdk/types'

/**
 * Replaces the SDK's chain of credential providers in the bundles. Lambda provides the role's credentials in the
 * environment, where they stay as they are. The chain's other providers (profiles, SSO, instance metadata) are 130 KB that no
 * function can use.
 */
export function defaultProvider(): AwsCredentialIdentityProvider {
  let credentials: AwsCredentialIdentity | undefined
  return async () => {
    credentials ??= read()
    return credentials
  }
}

function read(): AwsCredentialIdentity {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env
  if (!accessKeyId || !secretAccessKey)
    throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing in the environment')
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) }
}
