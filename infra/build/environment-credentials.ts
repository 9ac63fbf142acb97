import type { AwsCredentialIdentityProvider } from '@aws-sdk/types'

/**
 * Stands in for the SDK's chain of credential providers in the bundles: Lambda puts a role's credentials into the
 * environment, and the chain's other links (profiles, SSO, instance metadata) are 130 KB that no function can use.
 */
export const defaultProvider = (): AwsCredentialIdentityProvider => async () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env
  if (!accessKeyId || !secretAccessKey) throw new Error('the environment holds no AWS credentials')
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) }
}
