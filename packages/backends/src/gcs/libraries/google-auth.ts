// Google's client of its identity platform, in a bundle of its own.
export {
  gaxios,
  GoogleAuth,
  Impersonated,
  OAuth2Client,
  type AuthClient,
} from 'google-auth-library';
