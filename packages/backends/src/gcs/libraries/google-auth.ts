// Google's client of its identity platform, in a separate bundle.
export {
  gaxios,
  GoogleAuth,
  Impersonated,
  OAuth2Client,
  type AuthClient,
} from 'google-auth-library';
