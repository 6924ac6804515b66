export { GoogleAuth, Impersonated, OAuth2Client } from 'google-auth-library';
