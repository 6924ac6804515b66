// The libraries for OpenID Connect and signed tokens, in a bundle of its own.
export { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
export {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
